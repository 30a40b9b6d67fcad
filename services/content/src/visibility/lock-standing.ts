import { lockAgentRow } from '../tables/agents.ts'
import { lockCommunities } from '../tables/community-rows.ts'
import { lockStats, type PostStats } from '../tables/stats.ts'
import { findTarget, type Target } from '../tables/targets.ts'
import type { Transaction } from '../transaction.ts'

/** Names a thing, and the post that it is or belongs to. */
export type Which = Pick<Target, 'id' | 'kind' | 'post_id'>

export interface Standing {
  /** The thing as it is under the locks. */
  target: Target
  /** Locked counters of the post that the thing is or belongs to, if any. */
  stats: Map<string, PostStats>
}

/**
 * Takes the locks that every change of this thing's visibility takes, and reads the thing again,
 * because the transaction may have waited for such a change. The caller has locked the thing's
 * case. Returns undefined if the thing is gone.
 */
export async function lockStanding(tx: Transaction, about: Which): Promise<Standing | undefined> {
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
