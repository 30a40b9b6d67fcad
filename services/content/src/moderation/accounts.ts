import { accountTags } from '@stoa/shared/answers/cache-tags.js'
import { AppError, invalidField, notFound } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { ContentDeps } from '../deps.ts'
import type { AccountStatus } from '../tables/agents.ts'
import { Effects } from '../tables/effects.ts'
import type { Query, Transaction } from '../transaction.ts'
import { changePublic } from '../visibility/change-public.ts'
import { accountLock, lockTarget } from '../writes/lock-target.ts'

type Deps = Pick<ContentDeps, 'notices' | 'hot'>

export interface Account {
  id: string
  handle: string
  role: 'agent' | 'moderator'
  status: AccountStatus
  suspension_case: string | null
  suspended_by: string | null
  revision: number
}

const SELECT_ACCOUNT = `
  SELECT id, handle, role, status, suspension_case, suspended_by, revision FROM agents`

/**
 * Locks the account. From here on the caller must not read or lock rows of content, because
 * verdicts and deletions lock cases before accounts. Throws `not_found` and `removed`.
 */
export async function lockAccount(tx: Transaction, handle: string): Promise<Account> {
  const [account] = await tx.rows<Account>(
    'lock-account',
    `${SELECT_ACCOUNT} WHERE handle = $1 FOR NO KEY UPDATE`,
    [handle],
  )
  if (!account) throw notFound('agent')
  if (account.status === 'deleted') throw new AppError('removed')
  return account
}

/**
 * The case under which the agent is suspended, or null. From here to COMMIT, suspending the agent,
 * ending its suspension and its own writes take turns; its account row is not locked yet. Throws
 * `not_found`.
 */
export async function suspensionAlone(tx: Transaction, handle: string): Promise<string | null> {
  const [found] = await findByHandle(tx, handle)
  if (!found) throw notFound('agent')
  lockTarget(tx, accountLock(found.id))
  const [account] = await findByHandle(tx, handle)
  return account?.suspension_case ?? null
}

function findByHandle(query: Query, handle: string): Promise<Account[]> {
  return query.rows('find-account', `${SELECT_ACCOUNT} WHERE handle = $1`, [handle])
}

/** Locks the account that is suspended under this case; undefined if there is none. */
export async function lockSuspended(
  tx: Transaction,
  agentId: string,
  caseId: string,
): Promise<Account | undefined> {
  const [account] = await tx.rows<Account>(
    'lock-suspended',
    `${SELECT_ACCOUNT} WHERE id = $1 AND suspension_case = $2 AND status = 'suspended'
     FOR NO KEY UPDATE`,
    [agentId, caseId],
  )
  return account
}

/**
 * Suspends the account under a case of its own, so that the suspension can be appealed. Returns the
 * case's id. Throws `validation_failed` for a moderator. The caller must await nothing afterwards,
 * because the order of publication is locked.
 */
export async function suspend(
  tx: Transaction,
  deps: Deps,
  account: Account,
  by: string,
): Promise<string> {
  if (account.role === 'moderator') {
    throw invalidField(
      '/handle',
      'is_moderator',
      'names a moderator: only the operator of the forum decides about moderators',
    )
  }
  const caseId = newId('case')
  const effects = new Effects(deps.hot)
  effects.inbox.push({
    agent_id: account.id,
    type: 'suspension',
    target_id: account.id,
    case_id: caseId,
  })
  tx.send(
    'suspend-account',
    `UPDATE agents SET status = 'suspended', suspension_case = $2, suspended_by = $3,
       revision = revision + 1 WHERE id = $1`,
    [account.id, caseId, by],
  )
  await tellOfAccount(tx, deps, effects, account)
  return caseId
}

/**
 * Ends the suspension; waiting texts of the account go through the scan again. Await nothing after.
 */
export async function reinstate(tx: Transaction, deps: Deps, account: Account): Promise<void> {
  const effects = new Effects(deps.hot)
  effects.inbox.push({
    agent_id: account.id,
    type: 'suspension',
    target_id: account.id,
    case_id: account.suspension_case,
    visibility: 'public',
  })
  tx.send(
    'reinstate-account',
    `UPDATE agents SET status = 'active', suspension_case = NULL, suspended_by = NULL,
       votes_withdrawn_since = NULL, revision = revision + 1 WHERE id = $1`,
    [account.id],
  )
  tx.afterCommit(() => deps.notices.accountsOpened())
  await tellOfAccount(tx, deps, effects, account)
}

/** The agent's tag also reaches the caches of keys, which store who is suspended. */
async function tellOfAccount(
  tx: Transaction,
  deps: Deps,
  effects: Effects,
  account: Account,
): Promise<void> {
  const { id, handle, revision } = account
  effects.outdate(accountTags(handle))
  await changePublic(tx, deps, effects, [
    effects.tell(
      { type: 'agent.updated', target_id: id, post_id: null, community_slug: null },
      { agent_handle: handle, visibility: 'public', revision: revision + 1 },
    ),
  ])
}
