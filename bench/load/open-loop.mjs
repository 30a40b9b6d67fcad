import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { exchange, summarize } from './closed-loop.mjs'

const CONNECTIONS = 64
const IN_FLIGHT_MAX = 512
/**
 * The shortest round for a 99th percentile: over one second it is the second or third worst answer.
 */
export const TAIL_SECONDS_MIN = 4

/**
 * Sends requests at a fixed rate, whether answers come or not, and measures each from the moment it
 * was due, so that the requests that a stalled server holds up count in full.
 *
 * @param {object} options
 * @param {string} options.origin
 * @param {number} options.rate requests per second
 * @param {number} options.seconds
 * @param {AbortSignal} [options.until] ends it early
 * @param {() => import('./closed-loop.mjs').Ask} next
 * @param {(text: string, status: string) => void} [onAnswer]
 */
export async function openLoop(options, next, onAnswer = () => {}) {
  const { origin, rate, seconds, until } = options
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 })
  /** @type {number[]} */
  const latencies = []
  /** @type {Record<string, number>} */
  const statuses = {}
  /** @type {Set<Promise<void>>} */
  const inFlight = new Set()
  const startedAt = performance.now()
  const total = Math.max(1, Math.round(rate * seconds))
  const send = async (/** @type {number} */ dueAt) => {
    const { status, text } = await exchange(pool, next())
    latencies.push(performance.now() - dueAt)
    statuses[status] = (statuses[status] ?? 0) + 1
    onAnswer(text, status)
  }
  for (let sent = 0; sent < total && !until?.aborted; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * rate) / 1_000) + 1)
    for (; sent < due && inFlight.size < IN_FLIGHT_MAX; sent++) {
      const answered = send(startedAt + (sent * 1_000) / rate)
      inFlight.add(answered)
      void answered.then(() => inFlight.delete(answered))
    }
    const untilNext = startedAt + (sent * 1_000) / rate - performance.now()
    await sleep(Math.max(1, Math.ceil(untilNext)))
  }
  await Promise.all(inFlight)
  const took = (performance.now() - startedAt) / 1_000
  await pool.close()
  return { ...summarize(latencies, statuses, took), statuses }
}
