import { accessSync, constants, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../deploy/local/processes/run.mjs'
import { closedLoop } from './closed-loop.mjs'

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), 'wrk.lua')

/** @typedef {import('../figures/measure.mjs').LoadResult} LoadResult */

/**
 * @typedef {object} SaturateOptions
 * @property {string} origin
 * @property {string[]} requests paths, or `path<TAB>body` for a POST; taken in turn, over and over
 * @property {Record<string, string>} [headers]
 * @property {number} [connections]
 * @property {number} seconds
 * @property {string} folder for the file of requests
 */

/** @returns {string | null} the generator wrk, which one core of Node.js cannot match */
function findWrk() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, 'wrk'), constants.X_OK)
      return join(folder, 'wrk')
    } catch {
      // Not in this folder.
    }
  }
  return null
}

const wrk = findWrk()

/** The program that makes the load of reads, as the report names it. */
export const GENERATOR = wrk
  ? 'wrk'
  : 'undici (wrk is not installed: the generator itself may be the limit of the fastest rows)'

/**
 * Sends requests as fast as answers come, on keep-alive connections.
 *
 * @param {SaturateOptions} options
 * @returns {Promise<LoadResult>}
 */
export async function saturate(options) {
  const { origin, requests, headers = {}, connections = 16, seconds, folder } = options
  if (!wrk) return saturateHere(options)
  const file = join(folder, 'requests.txt')
  writeFileSync(file, `${requests.join('\n')}\n`)
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { code, output } = await run({
    command: wrk,
    args: [
      ...['-t', '1', '-c', `${connections}`, '-d', `${Math.ceil(seconds)}s`, '--timeout', '10s'],
      ...[...given, '-s', SCRIPT, origin],
    ],
    env: { ...process.env, WRK_REQUESTS: file },
    timeoutMs: (seconds + 60) * 1_000,
  })
  const found = /JSON (\{.*\})/.exec(output)?.[1]
  if (code !== 0 || !found) throw new Error(`wrk failed:\n${output.trim()}`)
  const said = JSON.parse(found)
  return {
    requests: said.requests,
    seconds: said.us / 1e6,
    perSecond: said.requests / (said.us / 1e6),
    errors: said.bad + said.broken,
    p50: said.p50 / 1_000,
    p99: said.p99 / 1_000,
  }
}

/**
 * @param {SaturateOptions} options
 * @returns {Promise<LoadResult>}
 */
function saturateHere({ origin, requests, headers = {}, connections = 16, seconds }) {
  let next = 0
  return closedLoop({ origin, connections, seconds }, () => {
    const line = /** @type {string} */ (requests[next++ % requests.length])
    const [path, body] = /** @type {[string, string?]} */ (line.split('\t', 2))
    return { method: body === undefined ? 'GET' : 'POST', path, headers, body }
  })
}
