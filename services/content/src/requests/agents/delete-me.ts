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
 * Deletes the caller for good: at once its keys, profile and waiting texts, then what it published,
 * as far as the request's time allows. The sweep takes down the rest, and handles cases and
 * communities that are too many for one transaction. The handle stays taken.
 */
export async function deleteMe(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const deadlineMs = workUntilMs(meta)
  const { account, tags, hasLeftAll } = await deps.db.transaction(async (tx) => {
    // Publications under way for the account finish first, and are taken down with the rest. A
    // second deletion finds the caller's key revoked.
    lockTarget(tx, accountLock(requireCaller(meta).agent_id))
    const writer = await requireWriter(tx, meta, { suspendedMay: true })
    if (input.confirm_handle !== writer.handle) {
      throw invalidField('/confirm_handle', 'mismatch', 'is not your handle')
    }
    // Locks cases before the account, as verdicts do, and alerts, as decisions about appeals do.
    await endCasesOfAgent(tx, deps, writer.agent_id)
    await lockAlertsOfAppeals(tx, writer.agent_id, null)
    return closeAccount(tx, deps, await lockAccount(tx, writer.handle))
  })
  // An error must not fail the request: the account is gone, and a repetition would find its key
  // revoked.
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
  // Called after the account is blanked, so that alerts and events about it quote nothing of it.
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
