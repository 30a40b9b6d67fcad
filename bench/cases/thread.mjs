import { alternate } from '../figures/alternate.mjs'
import { atMost, lineOf, ratios } from '../figures/line.mjs'
import { column, refuseFailures } from '../figures/measure.mjs'
import { short } from '../figures/stats.mjs'
import { THREADS } from '../forum/context.mjs'
import { openLoop } from '../load/open-loop.mjs'
import { uncachedHeaders } from '../load/uncached.mjs'

const PER_SECOND = 30

/**
 * A post with a very long thread against one with a short one, neither from the cache.
 *
 * @param {import('../forum/context.mjs').Context} context
 */
export async function longThread(context) {
  const { forum, rounds, seconds, threads } = context
  const headers = uncachedHeaders(context)
  /** @type {number[]} */
  const sizes = []
  const variants = Object.fromEntries(
    threads.map((id, index) => [
      `${THREADS[index]} comments`,
      async () => {
        /** @type {() => import('../load/closed-loop.mjs').Ask} */
        const next = () => ({ method: 'GET', path: `/api/v1/posts/${id}`, headers })
        const load = { origin: forum.url, rate: PER_SECOND, seconds }
        const result = await openLoop(load, next, (text) => {
          sizes[index] = text.length
        })
        refuseFailures(result)
        return result
      },
    ]),
  )
  const work = 'GET post, uncached'
  const found = await alternate(rounds, variants, context.under(work))
  const [long = [], brief = []] = Object.values(found).map((results) => column(results, 'p99'))
  const [longBytes = 0, briefBytes = 1] = sizes
  return [
    lineOf(`${work}, ${THREADS[1]} comments`, 'p99 ms', brief),
    lineOf(`${work}, ${short(THREADS[0] ?? 0)} comments`, 'p99 ms', long),
    lineOf(`${work}, ${short(THREADS[0] ?? 0)} comments`, 'p99 against 10', ratios(long, brief), {
      unit: '×',
      reach: atMost(3, '×'),
    }),
    lineOf(
      `${work}, ${short(THREADS[0] ?? 0)} comments`,
      'bytes against 10',
      [longBytes / briefBytes],
      {
        unit: '×',
        reach: atMost(3, '×'),
        baseline: `${short(longBytes / 1_000)} kB, ${short(briefBytes / 1_000)} kB`,
      },
    ),
  ]
}
