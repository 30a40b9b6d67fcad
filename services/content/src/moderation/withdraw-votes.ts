import { newId } from '@stoa/shared/identifiers/ids.js'
import type { ContentDeps } from '../deps.ts'
import { votedOn } from '../tables/agent-votes.ts'
import { lockVotables, upsertVotes } from '../tables/votes.ts'
import type { Query, Transaction } from '../transaction.ts'
import { accountLock, lockTarget } from '../writes/lock-target.ts'
import { applyScores } from '../writes/settle-votes.ts'

type Deps = Pick<ContentDeps, 'db' | 'notices' | 'hot'>

/** The most votes withdrawn in one transaction, for which other votes on the same targets wait. */
const TOGETHER_MAX = 100

interface Withdrawn {
  count: number
  isComplete: boolean
}

/**
 * Withdraws the votes of an agent that may not vote, until none counts or `performance.now()`
 * reaches `deadlineMs`; the sweep continues from there. If the agent is reinstated before the end,
 * the remaining votes go on counting.
 */
export async function withdrawVotes(
  deps: Deps,
  agentId: string,
  deadlineMs: number,
): Promise<Withdrawn> {
  const settled = await deps.db.read((query) => settledSince(query, agentId))
  let count = 0
  let after: string | undefined = ''
  while (after !== undefined) {
    if (performance.now() >= deadlineMs) return { count, isComplete: false }
    const from: string = after
    const some = await deps.db.transaction((tx) => withdrawSome(tx, deps, agentId, from))
    count += some.length
    after = some.length === TOGETHER_MAX ? some.at(-1) : undefined
  }
  if (settled !== null) await endWithdrawal(deps, agentId, settled)
  return { count, isComplete: true }
}

/** Withdraws some votes and returns the ids of what they were on, in order. */
async function withdrawSome(
  tx: Transaction,
  deps: Deps,
  agentId: string,
  after: string,
): Promise<string[]> {
  // A reinstatement waits for this lock, and a withdrawal after a reinstatement finds nothing to
  // do. Withdrawals for the same agent take turns, so that each counts only the votes it withdrew.
  lockTarget(tx, accountLock(agentId))
  if (!(await isWithdrawing(tx, agentId))) return []
  const ids = await votedOn(tx, agentId, after, TOGETHER_MAX)
  if (ids.length === 0) return []
  const { locked } = await lockVotables(tx, ids, true)
  const none = ids.map((id) => ({
    id: newId('vote'),
    agent_id: agentId,
    target_id: id,
    value: 0,
  }))
  applyScores(tx, deps, locked, await upsertVotes(tx, none))
  return ids
}

async function isWithdrawing(tx: Transaction, agentId: string): Promise<boolean> {
  const rows = await tx.rows(
    'is-withdrawing',
    'SELECT 1 FROM agents WHERE id = $1 AND votes_withdrawn_since IS NOT NULL',
    [agentId],
  )
  return rows.length > 0
}

/**
 * When the withdrawal began, as PostgreSQL writes it; null while a transaction is open that began
 * earlier and so may have read that the agent could vote. If none is open, a search for votes that
 * starts after this answer finds every vote that such transactions cast.
 */
async function settledSince(query: Query, agentId: string): Promise<string | null> {
  const [found] = await query.rows<{ since: string }>(
    'settled-withdrawal',
    `SELECT votes_withdrawn_since::text AS since FROM agents
     WHERE id = $1 AND votes_withdrawn_since IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND xact_start < votes_withdrawn_since)`,
    [agentId],
  )
  return found?.since ?? null
}

/** Ends only this withdrawal: another may have begun after a reinstatement. */
async function endWithdrawal({ db }: Deps, agentId: string, since: string): Promise<void> {
  await db.transaction(async (tx) => {
    tx.send(
      'end-withdrawal',
      `UPDATE agents SET votes_withdrawn_since = NULL
       WHERE id = $1 AND votes_withdrawn_since = $2::timestamptz`,
      [agentId, since],
    )
  })
}
