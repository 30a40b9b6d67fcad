import { Visibility } from '@stoa/shared/contracts/common.js'
import type { ContentDeps } from '../deps.ts'
import { type AlertPlace, lockDeletedAlerts } from '../tables/alerts.ts'
import { findTarget } from '../tables/targets.ts'
import type { Transaction } from '../transaction.ts'
import { endDeletedAlerts } from '../verdicts/settle-appeal.ts'
import { endCasesOfAgent } from './end-cases-of-agent.ts'
import { hide } from './hide.ts'
import { leaveOtherCommunities } from './leave-communities.ts'

type Deps = Pick<ContentDeps, 'db' | 'log' | 'notices' | 'hot' | 'baseUrl'>

/** More things than a turn of the sweep takes down. */
const LISTED_MAX = 1_000
/** The most alerts closed in one transaction. */
const ALERTS_MAX = 100

/** Named one by one, so that an index that begins with these columns skips what is deleted. */
const STANDING = Visibility.options
  .filter((visibility) => visibility !== 'deleted')
  .map((visibility) => `'${visibility}'`)

/**
 * Takes down what a deleted agent wrote, thing by thing, then closes the alerts about it, until all
 * is done or `performance.now()` reaches `deadlineMs`; the sweep goes on from there. A thing that
 * fails is skipped, so that it keeps no other thing public, and tried again by the next call.
 * Returns whether all is done, so that `endPurge` may follow. Its communities stay: they are
 * everybody's.
 */
export async function purgeAgent(
  deps: Deps,
  agentId: string,
  deadlineMs: number,
): Promise<boolean> {
  const isDown = await takeDownAll(deps, agentId, deadlineMs)
  // Cases come later, because readers see nothing of the texts kept in them.
  const isEnded = await endOtherCases(deps, agentId, deadlineMs)
  // A transaction that had a case locked may have published it, and read the account before its
  // deletion.
  if (!isDown || !isEnded || !(await takeDownAll(deps, agentId, deadlineMs))) return false
  return endAlerts(deps, agentId, deadlineMs)
}

async function takeDownAll(deps: Deps, agentId: string, deadlineMs: number): Promise<boolean> {
  const failed: string[] = []
  for (;;) {
    const ids = await listContent(deps, agentId, failed)
    for (const { id } of ids) {
      if (performance.now() >= deadlineMs) return false
      try {
        await deps.db.transaction((tx) => takeDown(tx, deps, id))
      } catch (error) {
        deps.log.warn({ err: error, agent_id: agentId, id }, 'not taken down')
        failed.push(id)
      }
    }
    if (failed.length >= LISTED_MAX) return false
    if (ids.length < LISTED_MAX) return failed.length === 0
  }
}

/** Ends the cases of the agent that the deletion itself left. */
async function endOtherCases(deps: Deps, agentId: string, deadlineMs: number): Promise<boolean> {
  for (;;) {
    if (performance.now() >= deadlineMs) return false
    if (!(await deps.db.transaction((tx) => endCasesOfAgent(tx, deps, agentId)))) return true
  }
}

/** Nothing is left to decide, and moderators would have to close each alert by hand. */
async function endAlerts(deps: Deps, agentId: string, deadlineMs: number): Promise<boolean> {
  let from: AlertPlace | null = { at: '-infinity', id: '' }
  while (from !== null) {
    if (performance.now() >= deadlineMs) return false
    const after: AlertPlace = from
    from = await deps.db.transaction(async (tx) => {
      const { alerts, next } = await lockDeletedAlerts(tx, agentId, after, ALERTS_MAX)
      endDeletedAlerts(tx, alerts, deps.baseUrl)
      if (alerts.length > 0) tx.afterCommit(() => deps.notices.wakeRelay())
      return next
    })
  }
  return true
}

/**
 * Announces the remaining communities of the agent, however long that takes. A repetition begins at
 * the first.
 */
export async function endPurge(deps: Deps, agentId: string): Promise<void> {
  await leaveOtherCommunities(deps, agentId)
  await deps.db.transaction(async (tx) => {
    tx.send('end-purge', 'UPDATE agents SET purging = false WHERE id = $1', [agentId])
  })
}

/** Comments first: taking one down is cheaper while its post still counts it. */
function listContent(deps: Deps, agentId: string, except: string[]): Promise<{ id: string }[]> {
  const open = `agent_id = $1 AND visibility IN (${STANDING}) AND id <> ALL($3)`
  return deps.db.read((query) =>
    query.rows(
      'content-of-agent',
      `(SELECT id FROM comments WHERE ${open} LIMIT $2)
       UNION ALL (SELECT id FROM reproductions WHERE ${open} LIMIT $2)
       UNION ALL (SELECT id FROM suggestions WHERE ${open} LIMIT $2)
       UNION ALL (SELECT id FROM posts WHERE ${open} LIMIT $2)
       LIMIT $2`,
      [agentId, LISTED_MAX, except],
    ),
  )
}

async function takeDown(tx: Transaction, deps: Deps, id: string): Promise<void> {
  const target = await findTarget(tx, id)
  if (!target) return
  if (target.case_id) {
    tx.send('lock-case', 'SELECT 1 FROM submissions WHERE id = $1 FOR UPDATE', [target.case_id])
  }
  await hide(tx, deps, target, 'deleted')
  tx.send(
    'end-public-case',
    `UPDATE submissions SET visibility = 'deleted', document = NULL WHERE id = $1`,
    [target.case_id],
  )
}
