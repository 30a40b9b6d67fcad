import type { Database } from '../database.ts'
import { recordAct } from '../tables/audit.ts'
import { deliver } from '../tables/inbox.ts'
import { type Command, OPERATOR, Refused } from './command.ts'
import { tellOfAgent } from './tell-of-agent.ts'

interface Revoked {
  id: string
  agent_id: string
  handle: string
  revision: number
}

/** Revokes a key by its id (`key_…`) or by what it starts with (`stoa_` and 12 characters). */
async function revoke(db: Database, [given = '']: string[]): Promise<string[]> {
  const publicId = /^stoa_([0-9A-Za-z]{12})/.exec(given)?.[1] ?? null
  const handle = await db.transaction(async (tx) => {
    const [key] = await tx.rows<Revoked>(
      'revoke-any-key',
      `UPDATE api_keys k SET revoked_at = coalesce(k.revoked_at, now()) FROM agents a
       WHERE a.id = k.agent_id AND (k.id = $1 OR k.public_id = $2)
       RETURNING k.id, k.agent_id, a.handle, a.revision`,
      [given, publicId],
    )
    if (!key) throw new Refused('There is no such key.')
    recordAct(tx, {
      moderator: OPERATOR,
      action: 'key.revoked',
      target_type: 'key',
      target_id: key.id,
      agent_handle: key.handle,
    })
    deliver(tx, [{ agent_id: key.agent_id, type: 'key_revoked', target_id: key.id }])
    tellOfAgent(tx, { id: key.agent_id, handle: key.handle, revision: key.revision + 1 })
    return key.handle
  })
  return [`A key of ${handle} is revoked.`]
}

export const keyCommands: Record<string, Command> = {
  'key revoke': {
    usage: 'key revoke <id or prefix>',
    summary: 'revoke any key',
    words: 1,
    run: revoke,
  },
}
