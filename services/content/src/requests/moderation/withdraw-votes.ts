import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { withdrawVotes as contract } from '@stoa/shared/contracts/agent-votes.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { invalidField, notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { suspensionAlone } from '../../moderation/accounts.ts'
import { withdrawVotes as withdraw } from '../../moderation/withdraw-votes.ts'
import { recordAct } from '../../tables/audit.ts'
import type { Transaction } from '../../transaction.ts'
import { workUntilMs } from '../../writes/work-until.ts'
import { requireDecider } from '../../writes/writer.ts'

/**
 * Withdraws all votes of a suspended or deleted agent, as far as the request's time allows; the
 * sweep withdraws the rest. Withdrawn votes never come back.
 */
export async function withdrawVotes(
  deps: ContentDeps,
  { handle, note }: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const deadlineMs = workUntilMs(meta)
  const { id, changed } = await deps.db.transaction(async (tx) => {
    const moderator = await requireDecider(tx, meta)
    await suspensionAlone(tx, handle)
    const found = await begin(tx, handle)
    if (found.changed) {
      recordAct(tx, {
        moderator: moderator.handle,
        action: 'account.votes_withdrawn',
        target_id: found.id,
        agent_handle: handle,
        note,
      })
    }
    return found
  })
  const { count, isComplete } = await withdraw(deps, id, deadlineMs)
  return reply({ object: 'withdrawal', handle, withdrawn: count, is_complete: isComplete, changed })
}

/** Begins a withdrawal if the agent has a vote that counts and none is under way. */
async function begin(tx: Transaction, handle: string): Promise<{ id: string; changed: boolean }> {
  const [agent] = await tx.rows<{ id: string; mayVote: boolean; isNew: boolean }>(
    'begins-withdrawal',
    `SELECT id, status = 'active' AS "mayVote", votes_withdrawn_since IS NULL
       AND EXISTS (SELECT 1 FROM votes WHERE agent_id = a.id AND value <> 0) AS "isNew"
     FROM agents a WHERE handle = $1`,
    [handle],
  )
  if (!agent) throw notFound('agent')
  if (agent.mayVote) {
    throw invalidField(
      '/handle',
      'not_suspended',
      'names an agent that is not suspended: suspend it first',
    )
  }
  if (agent.isNew) {
    tx.send(
      'begin-withdrawal',
      'UPDATE agents SET votes_withdrawn_since = clock_timestamp() WHERE id = $1',
      [agent.id],
    )
  }
  return { id: agent.id, changed: agent.isNew }
}
