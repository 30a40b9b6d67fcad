import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch } from '../processes/child.mjs'
import { freePort } from '../processes/free-port.mjs'

const READY_WITHIN_MS = 30_000
const PROBE_EVERY_MS = 25
const PORT_ATTEMPTS_MAX = 3
const TAIL_LINES = 12
const PORT_TAKEN = /address already in use|could not create any TCP/i

/**
 * @typedef {object} ServerPlan
 * @property {string} name as shown to people
 * @property {number | undefined} port a free one when undefined
 * @property {string} dir the server's own folder
 * @property {string | undefined} logFile `server.log` in `dir` when undefined
 * @property {(port: number) => import('../processes/child.mjs').LaunchOptions} launchOn
 * @property {(port: number) => Promise<void>} probe resolves once the server answers
 */

/**
 * Starts one server and waits, at most 30 s, until it answers.
 *
 * @param {ServerPlan} plan
 * @returns {Promise<import('../processes/child.mjs').Child & { port: number }>}
 * @throws {Error} with the end of the server's log when it does not come up
 */
export async function startServer(plan) {
  const logFile = plan.logFile ?? join(plan.dir, 'server.log')
  for (let attempt = 1; ; attempt += 1) {
    const port = plan.port ?? (await freePort())
    const logged = existsSync(logFile) ? statSync(logFile).size : 0
    const child = launch({ ...plan.launchOn(port), logFile })
    const problem = await untilReady(child, () => plan.probe(port))
    if (problem === null) return { ...child, port }
    await child.stop()
    const isPortTaken = PORT_TAKEN.test(written(logFile, logged))
    if (plan.port === undefined && isPortTaken && attempt < PORT_ATTEMPTS_MAX) continue
    const log = tail(logFile, logged)
    throw new Error(`${plan.name} did not start (${problem})${log ? `:\n${log}` : ''}`)
  }
}

/**
 * @param {import('../processes/child.mjs').Child} child
 * @param {() => Promise<void>} probe
 * @returns {Promise<string | null>} null when ready, else the reason
 */
async function untilReady(child, probe) {
  const deadline = performance.now() + READY_WITHIN_MS
  let ended = ''
  void child.exited.then(({ code, signal, error }) => {
    ended = error?.message ?? `ended with ${signal ?? `exit code ${code}`}`
  })
  let reason = 'no answer'
  while (performance.now() < deadline) {
    try {
      await probe()
      // Another server may answer on that port while ours has already given up.
      return ended || null
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error)
    }
    if (ended) return ended
    await sleep(PROBE_EVERY_MS)
  }
  return `not ready after ${READY_WITHIN_MS / 1000} s: ${reason}`
}

/**
 * The last lines of a log file.
 *
 * @param {string} file
 * @param {number} [from] bytes to skip: what earlier runs wrote
 */
export function tail(file, from = 0) {
  return written(file, from).trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
}

/**
 * @param {string} file
 * @param {number} from
 */
function written(file, from) {
  return existsSync(file) ? readFileSync(file).subarray(from).toString() : ''
}
