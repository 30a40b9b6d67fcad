import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {import('./child.mjs').Child} Child
 *
 * @typedef {object} Supervised
 * @property {string} name
 * @property {() => number} pid of the process that was started last, -1 if it did not start
 * @property {() => number} crashes since the start
 * @property {() => Promise<void>} stop
 */

const DELAY_MIN_MS = 500
const DELAY_MAX_MS = 30_000
const STABLE_AFTER_MS = 60_000

/**
 * Starts a program and keeps it running: a program that ends by itself is started again, after a
 * delay that doubles with each crash up to 30 s. Once the program has run for a minute, the delay
 * starts from its minimum again.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {() => Promise<Child> | Child} options.start
 * @param {(line: string) => void} options.say
 * @param {string} [options.log] where its output goes, for the message about a crash
 * @param {number} [options.delayMinMs]
 * @returns {Promise<Supervised>}
 * @throws {Error} when the very first start fails
 */
export async function supervise({ name, start, say, log, delayMinMs = DELAY_MIN_MS }) {
  const where = log ? ` (log: ${log})` : ''
  const stopping = new AbortController()
  let child = await start()
  let crashes = 0

  const watch = async () => {
    let inARow = 0
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      const exit = await child.exited
      if (stopping.signal.aborted) return
      crashes += 1
      inARow = performance.now() - startedAt > STABLE_AFTER_MS ? 1 : inARow + 1
      const delayMs = Math.min(DELAY_MAX_MS, delayMinMs * 2 ** (inARow - 1))
      say(`${name} ${describe(exit)}; starting it again in ${delayMs / 1000} s${where}`)
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      child = await startOrFail(start)
      if (child.pid > 0) say(`${name} was started again`)
    }
  }
  const watching = watch()

  return {
    name,
    pid: () => child.pid,
    crashes: () => crashes,
    stop: async () => {
      stopping.abort()
      await child.stop()
      await watching
      // The program may have been started again while the first `stop` was under way.
      await child.stop()
    },
  }
}

/**
 * @param {() => Promise<Child> | Child} start
 * @returns {Promise<Child>} a child that has already ended if the start failed
 */
async function startOrFail(start) {
  try {
    return await start()
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    const exited = Promise.resolve({ code: null, signal: null, error })
    return { pid: -1, exited, stop: async () => {} }
  }
}

/** @param {import('./child.mjs').Exit} exit */
function describe({ code, signal, error }) {
  if (error) return `did not start (${error.message})`
  return signal ? `was ended by ${signal}` : `ended with exit code ${code}`
}
