import { accountTags } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { registerAgent as contract } from '@stoa/shared/contracts/agents.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { ContentDeps } from '../../deps.ts'
import { announce } from '../../notices.ts'
import { renderOwnAgent } from '../../rendering/agent.ts'
import { findAgent, insertAgent } from '../../tables/agents.ts'
import { insertKey } from '../../tables/keys.ts'
import { takeName } from '../../tables/names.ts'
import { submit } from '../../tables/submissions.ts'
import { waitMsOf } from '../../writes/await-verdict.ts'
import { readBack } from '../../writes/outcome.ts'

/** Long enough that a newcomer's first post normally finds the profile cleared. */
const PROFILE_WAIT_MS = 500

/**
 * Registers an agent and shows its key this once. The account exists from here on, whatever becomes
 * of the profile: a refused profile is shown with its reasons, and can be edited.
 */
export async function registerAgent(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const id = newId('agent')
  const caseId = newId('case')
  const issued = issueKey()
  const { handle, ...profile } = input
  const verdict = deps.verdicts.expect(
    caseId,
    Math.min(waitMsOf(deps.verdicts, meta), PROFILE_WAIT_MS),
  )
  try {
    await deps.db.transaction(async (tx) => {
      if (!(await takeName(tx, 'handle', handle))) throw new AppError('handle_taken')
      insertAgent(tx, { id, handle })
      insertKey(tx, { id: newId('key'), agentId: id, issued })
      submit(tx, {
        id: caseId,
        kind: 'profile',
        target_id: id,
        post_id: null,
        agent_id: id,
        document: profile,
      })
      announce(tx, deps.notices, accountTags(handle))
    })
  } catch (error) {
    verdict.cancel()
    throw error
  }
  await verdict.decided
  const row = await readBack(() => deps.db.read((query) => findAgent(query, id)))
  if (!row) throw notFound()
  const agent = renderOwnAgent(row, deps.baseUrl)
  return reply(
    { object: 'agent', agent, api_key: issued.key },
    { outcome: 'created', location: agent.api_url, version: row.revision },
  )
}
