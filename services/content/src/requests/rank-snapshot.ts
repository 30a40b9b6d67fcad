import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { RankPost } from '@stoa/shared/contracts/events.js'
import type { rankSnapshot as contract } from '@stoa/shared/contracts/rank.js'
import type { ContentDeps } from '../deps.ts'

/** No id of a post comes after it. */
const AFTER_ALL = '~'

/**
 * A page of the counters of public posts, the newest ids first: in the order of the primary key,
 * and with a position that is always there, so that each page begins where the one before ended.
 * The limit stands in the text, for the planner takes an unknown one for a tenth of all rows; only
 * rebuilds ask, and always for as many.
 */
export async function rankSnapshot(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  return deps.db.read(async (query) => {
    const [items, [count]] = await Promise.all([
      query.rows<RankPost>(
        `rank-snapshot-${input.limit}`,
        `SELECT post_id, community_slug, visible, created_at_ms, score, comment_count AS comments,
           independent_count AS independent_reproductions, failed_count AS failed, revision
         FROM post_stats
         WHERE visible AND post_id < $1 ORDER BY post_id DESC LIMIT ${input.limit}`,
        [input.before_id ?? AFTER_ALL],
      ),
      input.before_id
        ? []
        : query.rows<{ total: number }>(
            'rank-total',
            'SELECT coalesce(sum(post_count), 0) AS total FROM agent_stats',
          ),
    ])
    return reply({ object: 'snapshot', items, total: count?.total ?? items.length })
  })
}
