import { totalOf, withProcessorTime } from './processes.mjs'
import { spreadOf } from './stats.mjs'

/**
 * @typedef {object} LoadResult
 * @property {number} requests
 * @property {number} seconds
 * @property {number} perSecond
 * @property {number} errors answers of 400 and more, and connections that broke
 * @property {number} p50 ms
 * @property {number} p99 ms
 */

/**
 * @typedef {LoadResult & { cpu: Map<string, number>, cpuMs: number }} Measured `cpu` is in ms by
 *   program over the whole run, `cpuMs` in ms per request over all programs
 */

/**
 * @param {ReadonlyMap<string, number>} pids whose processor time counts
 * @param {() => Promise<LoadResult>} load
 * @returns {Promise<Measured>}
 * @throws {Error} when more than one request in a hundred failed: then nothing was measured
 */
export async function measureLoad(pids, load) {
  const { result, cpu } = await withProcessorTime(pids, load)
  refuseFailures(result)
  return { ...result, cpu, cpuMs: totalOf(cpu) / result.requests }
}

/**
 * @param {Pick<LoadResult, 'requests' | 'errors'> & { statuses?: Record<string, number> }} result
 */
export function refuseFailures({ requests, errors, statuses }) {
  if (errors <= (requests + errors) / 100) return
  const detail = statuses ? `: ${JSON.stringify(statuses)}` : ''
  throw new Error(`${errors} of ${requests + errors} requests failed${detail}`)
}

/**
 * Processor time per request by program, the median over the rounds.
 *
 * @param {Measured[]} rounds
 * @returns {Record<string, number>}
 */
export function cpuByProgram(rounds) {
  const names = [...(rounds[0]?.cpu.keys() ?? [])]
  return Object.fromEntries(
    names.map((name) => [
      name,
      spreadOf(rounds.map(({ cpu, requests }) => (cpu.get(name) ?? 0) / requests)).median,
    ]),
  )
}

/**
 * @template {string} K
 * @param {Record<K, number>[]} results
 * @param {K} key
 * @returns {number[]}
 */
export function column(results, key) {
  return results.map((result) => result[key])
}
