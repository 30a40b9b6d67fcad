import { OPERATOR } from '@stoa/shared/contracts/audit.js'
import { SuggestionStatus } from '@stoa/shared/contracts/suggestions.js'
import type { Database } from '../database.ts'
import { recordAct } from '../tables/audit.ts'
import { type Command, Refused } from './command.ts'
import { tellChange } from './tell-change.ts'

interface Changed {
  handle: string
  revision: number
}

async function setStatus(db: Database, [id = '', given = '']: string[]): Promise<string[]> {
  const status = SuggestionStatus.options.find((name) => name === given)
  if (!status) {
    throw new Refused(`The status must be one of ${SuggestionStatus.options.join(', ')}.`)
  }
  await db.transaction(async (tx) => {
    const [changed] = await tx.rows<Changed>(
      'set-suggestion-status',
      `UPDATE suggestions s SET status = $2, revision = s.revision + 1 FROM agents a
       WHERE s.id = $1 AND s.visibility = 'public' AND a.id = s.agent_id
       RETURNING a.handle, s.revision`,
      [id, status],
    )
    if (!changed) throw new Refused('There is no public suggestion with this id.')
    await tellChange(
      tx,
      { type: 'suggestion.updated', target_id: id, post_id: null, community_slug: null },
      { agent_handle: changed.handle, visibility: 'public', revision: changed.revision },
    )
    recordAct(tx, {
      moderator: OPERATOR,
      action: `suggestion.${status}`,
      target_id: id,
      agent_handle: changed.handle,
    })
  })
  return [`${id} is ${status}.`]
}

export const suggestionCommands: Record<string, Command> = {
  'suggestion status': {
    usage: `suggestion status <id> <${SuggestionStatus.options.join('|')}>`,
    summary: 'set the status of a suggestion',
    words: 2,
    run: setStatus,
  },
}
