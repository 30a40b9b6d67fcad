import { lockAgentRow } from '../tables/agents.ts'
import { lockCommunities } from '../tables/community-rows.ts'
import { lockStats, type PostStats } from '../tables/stats.ts'
import { findTarget, type Target } from '../tables/targets.ts'
import type { Transaction } from '../transaction.ts'

export interface Standing {
  /** As it is under the locks. */
  target: Target
  /** Locked counters of the post that it is or hangs on, if it is or does. */
  stats: Map<string, PostStats>
}

/**
 * Locks what everybody holds who changes how this thing stands, and reads the thing again: the
 * transaction may have waited for whoever did. The caller has locked its case. Answers nothing where
 * it has gone.
 */
export async function lockStanding(tx: Transaction, about: Target): Promise<Standing | undefined> {
  const { id, post_id: postId } = about
  if (about.kind === 'agent') lockAgentRow(tx, id)
  if (about.kind === 'community') await lockCommunities(tx, [id])
  const [stats, target] = await Promise.all([
    postId ? lockStats(tx, [postId]) : new Map<string, PostStats>(),
    findTarget(tx, id),
  ])
  if (!target || (postId && !stats.has(postId))) return undefined
  return { target, stats }
}
