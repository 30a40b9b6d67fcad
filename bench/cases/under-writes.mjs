import { alternate } from '../figures/alternate.mjs'
import { atMost, lineOf, ratios } from '../figures/line.mjs'
import { column, refuseFailures } from '../figures/measure.mjs'
import { untilDrained } from '../forum/drain.mjs'
import { openLoop, TAIL_SECONDS_MIN } from '../load/open-loop.mjs'
import { prepared, writers } from '../load/writes.mjs'

const READS_PER_SECOND = 200
const VOTES_PER_SECOND = 200
const POSTS_PER_SECOND = 20

/**
 * The p99 of the hot feed while nobody writes, and while votes and posts arrive that remove it from
 * the cache again and again.
 *
 * @param {import('../forum/context.mjs').Context} context
 */
export async function feedUnderWrites(context) {
  const { forum, rounds } = context
  const seconds = Math.max(TAIL_SECONDS_MIN, context.seconds)
  const { post, voteSpread } = writers(context)
  const origin = forum.url
  /** @type {() => import('../load/closed-loop.mjs').Ask} */
  const read = () => ({ method: 'GET', path: '/api/v1/feed', headers: {} })
  const reading = async () => {
    const result = await openLoop({ origin, rate: READS_PER_SECOND, seconds }, read)
    refuseFailures(result)
    return result
  }
  const work = `GET feed, hot, ${READS_PER_SECOND}/s`
  const found = await alternate(
    rounds,
    {
      idle: reading,
      writing: async () => {
        const votes = prepared(voteSpread, VOTES_PER_SECOND * seconds)
        const posts = prepared(post, POSTS_PER_SECOND * seconds)
        const [result, ...writes] = await Promise.all([
          reading(),
          openLoop({ origin, rate: VOTES_PER_SECOND, seconds }, votes),
          openLoop({ origin, rate: POSTS_PER_SECOND, seconds }, posts),
        ])
        for (const written of writes) refuseFailures(written)
        await untilDrained(forum)
        return result
      },
    },
    context.under(work),
  )
  const idle = column(found.idle ?? [], 'p99')
  const writing = column(found.writing ?? [], 'p99')
  const busy = `${work}, with ${VOTES_PER_SECOND} votes/s and ${POSTS_PER_SECOND} posts/s`
  return [
    lineOf(`${work}, nobody writes`, 'p99 ms', idle),
    lineOf(busy, 'p99 ms', writing),
    lineOf(busy, 'p99 against idle', ratios(writing, idle), { unit: '×', reach: atMost(2, '×') }),
  ]
}
