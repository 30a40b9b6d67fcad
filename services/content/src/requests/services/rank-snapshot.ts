import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { rankSnapshot as contract } from '@stoa/shared/contracts/rank.js'
import type { ContentDeps } from '../../deps.ts'
import { totalOf } from '../../tables/agent-counts.ts'
import { correctScores } from '../../tables/scores.ts'
import { type Counted, ranked } from '../../tables/stats.ts'
import type { Query } from '../../transaction.ts'

/** Greater than any post id. */
const AFTER_ALL = '~'

/**
 * A page of the counters of public posts, greatest ids first: in the order of the primary key and
 * after a given position, so that each page begins where the one before ended. The limit is a
 * literal, because the planner takes a parameter for a tenth of all rows; only rebuilds ask, always
 * with the same limit.
 *
 * Content keeps the hot order too, for posts that ranking does not hold. Scores computed with other
 * settings are corrected on the way, so that one rebuild applies a change of settings in both
 * places.
 */
export async function rankSnapshot(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const [rows, total] = await deps.db.read((query) =>
    Promise.all([
      query.rows<Counted>(
        `rank-snapshot-${input.limit}`,
        `SELECT post_id, community_slug, visible, created_at_ms, score, comment_count,
           independent_count, failed_count, hot_score, revision
         FROM post_stats
         WHERE visible AND post_id < $1 ORDER BY post_id DESC LIMIT ${input.limit}`,
        [input.before_id ?? AFTER_ALL],
      ),
      input.before_id ? 0 : countPosts(query),
    ]),
  )
  await correctScores(deps.db, rows, deps.hot)
  return reply({ object: 'snapshot', items: rows.map(ranked), total: total || rows.length })
}

async function countPosts(query: Query): Promise<number> {
  const [count] = await query.rows<{ total: number }>('rank-total', totalOf('post_count'))
  return count?.total ?? 0
}
