import { accountTags, keyTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { deleteMe as contract } from '@stoa/shared/contracts/agents.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { invalidField } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { type Account, lockAccount } from '../../moderation/accounts.ts'
import { lockAlertsOfAppeals } from '../../tables/alerts.ts'
import { BLANK_PROFILE } from '../../tables/documents.ts'
import { Effects } from '../../tables/effects.ts'
import { revokeKeysOf } from '../../tables/keys.ts'
import type { Transaction } from '../../transaction.ts'
import { endAppeals } from '../../verdicts/settle-appeal.ts'
import { changePublic } from '../../visibility/change-public.ts'
import { endCasesOfAgent } from '../../visibility/end-cases-of-agent.ts'
import { leaveCommunities } from '../../visibility/leave-communities.ts'
import { endPurge, purgeAgent } from '../../visibility/purge-agent.ts'
import { accountLock, lockTarget } from '../../writes/lock-target.ts'
import { workUntilMs } from '../../writes/work-until.ts'
import { requireCaller, requireWriter } from '../../writes/writer.ts'

/**
 * Deletes the caller for good: keys, profile and what waits at once, then what it published, as far as
 * the time of the request allows; the sweep takes down the rest, and sees to cases and communities that
 * are too many for one transaction. The handle stays taken.
 */
export async function deleteMe(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const deadlineMs = workUntilMs(meta)
  const { account, tags, hasLeftAll } = await deps.db.transaction(async (tx) => {
    // What is being published for it comes to its end first, and is taken down with the rest; who
    // deletes it a second time finds its key revoked.
    lockTarget(tx, accountLock(requireCaller(meta).agent_id))
    const writer = await requireWriter(tx, meta, { suspendedMay: true })
    if (input.confirm_handle !== writer.handle) {
      throw invalidField('/confirm_handle', 'mismatch', 'is not your handle')
    }
    // Cases before the account, as verdicts lock them, and alerts, as whoever decides an appeal does.
    await endCasesOfAgent(tx, deps, writer.agent_id)
    await lockAlertsOfAppeals(tx, writer.agent_id, null)
    return closeAccount(tx, deps, await lockAccount(tx, writer.handle))
  })
  // The account is gone, and a repeated request would only find its key revoked.
  try {
    const isTakenDown = await purgeAgent(deps, account.id, deadlineMs)
    if (isTakenDown && hasLeftAll) await endPurge(deps, account.id)
  } catch (error) {
    deps.log.warn({ err: error, agent_id: account.id }, 'not all taken down')
  }
  const { id, handle } = account
  return reply({ object: 'agent', agent: { id, handle, visibility: 'deleted' } }, { tags })
}

async function closeAccount(tx: Transaction, deps: ContentDeps, account: Account) {
  const { id, handle, revision } = account
  const keys = await revokeKeysOf(tx, id)
  blankAccount(tx, id)
  // Now that the account is gone: what tells of it quotes nothing that went with it.
  await endAppeals(tx, { agentId: id, caseIds: null }, deps.baseUrl)
  const effects = new Effects(deps.hot)
  effects.outdate(accountTags(handle))
  effects.outdate(keys.map((key) => keyTag(key.id)))
  const left = await leaveCommunities(tx, effects, account)
  await changePublic(tx, deps, effects, [
    ...left.changes,
    effects.tell(
      { type: 'agent.removed', target_id: id, post_id: null, community_slug: null },
      { agent_handle: handle, visibility: 'deleted', revision: revision + 1 },
    ),
  ])
  return { account, tags: [...effects.tags], hasLeftAll: left.next === null }
}

function blankAccount(tx: Transaction, agentId: string): void {
  tx.send(
    'blank-account',
    `UPDATE agents SET status = 'deleted', purging = true, profile_version = 0,
       profile_case = NULL, ${BLANK_PROFILE}, operator_key = '', operator_host = '',
       suspension_case = NULL, suspended_by = NULL, revision = revision + 1
     WHERE id = $1`,
    [agentId],
  )
  tx.send('empty-inbox', 'DELETE FROM inbox WHERE agent_id = $1', [agentId])
  tx.send('forget-mutes', 'DELETE FROM mutes WHERE agent_id = $1', [agentId])
  tx.send('blank-appeals', `UPDATE appeals SET reason = '' WHERE agent_id = $1`, [agentId])
}
