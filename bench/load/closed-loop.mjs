import { Pool } from 'undici'
import { percentile } from '../figures/stats.mjs'

/**
 * @typedef {object} Ask
 * @property {'GET' | 'POST'} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string | undefined} [body]
 */

/**
 * Keeps `connections` requests under way until the time is over, then waits for the last ones.
 *
 * @param {{ origin: string, connections: number, seconds: number }} options
 * @param {() => Ask} next
 * @param {(text: string) => boolean} [isGood] whether an answer is what was meant to be measured
 * @returns {Promise<import('../figures/measure.mjs').LoadResult & { statuses: Record<string,
 *   number> }>}
 */
export async function closedLoop({ origin, connections, seconds }, next, isGood = () => true) {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  /** @type {number[]} */
  const latencies = []
  /** @type {Record<string, number>} */
  const statuses = {}
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  const client = async () => {
    while (performance.now() < endsAt) {
      const askedAt = performance.now()
      const { status, text } = await exchange(pool, next())
      latencies.push(performance.now() - askedAt)
      const outcome = isGood(text) ? status : `${status}, but another answer`
      statuses[outcome] = (statuses[outcome] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  const took = (performance.now() - startedAt) / 1_000
  await pool.close()
  return { ...summarize(latencies, statuses, took), statuses }
}

/**
 * Sends one request and never rejects.
 *
 * @param {import('undici').Dispatcher} pool
 * @param {Ask} ask
 * @returns {Promise<{ status: string, text: string }>} status `broken` if there was no answer
 */
export async function exchange(pool, { method, path, headers, body }) {
  try {
    const options = { method, path, headers, ...(body === undefined ? {} : { body }) }
    const answer = await pool.request(options)
    const text = await answer.body.text()
    return { status: `${answer.statusCode}`, text }
  } catch {
    return { status: 'broken', text: '' }
  }
}

/**
 * @param {number[]} latencies ms
 * @param {Record<string, number>} statuses
 * @param {number} seconds
 */
export function summarize(latencies, statuses, seconds) {
  const sorted = latencies.sort((a, b) => a - b)
  const good = Object.entries(statuses).reduce((sum, [status, count]) => {
    return /^[23]\d\d$/.test(status) ? sum + count : sum
  }, 0)
  return {
    requests: good,
    seconds,
    perSecond: good / seconds,
    errors: sorted.length - good,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  }
}
