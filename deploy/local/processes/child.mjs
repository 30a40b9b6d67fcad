import { spawn } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, noteEnd, noteStart, signalPid } from './own-programs.mjs'
import { GRACE_MS, spawnOptions } from './spawn-options.mjs'

/**
 * @typedef {object} Exit
 * @property {number | null} code
 * @property {NodeJS.Signals | null} signal
 * @property {Error} [error] why the program could not be started at all
 */

/**
 * @typedef {object} Child
 * @property {number} pid -1 when the program could not be started
 * @property {Promise<Exit>} exited never rejects
 * @property {() => Promise<void>} stop asks, waits, then kills; resolves when the process is gone
 */

/**
 * @typedef {object} LaunchOptions
 * @property {string} command
 * @property {string[]} [args]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {string} [logFile] standard output and error are appended here
 * @property {string} [input] written to standard input, which is then closed
 * @property {NodeJS.Signals} [stopSignal]
 * @property {number} [graceMs] how long `stop` waits before SIGKILL
 * @property {'first' | 'last' | undefined} [turn] when processors are short, `first` runs as soon
 *   as it wakes, in the place of another program, and `last` gets less time than the others
 */

/**
 * Starts a long-running program in a session of its own, so that Ctrl-C in a terminal reaches
 * only the launcher, which then stops things in order.
 *
 * @param {LaunchOptions} options
 * @returns {Child}
 */
export function launch(options) {
  const { stopSignal = 'SIGTERM', graceMs = GRACE_MS, input, logFile } = options
  const log = logFile === undefined ? 'ignore' : openSync(logFile, 'a', 0o600)
  const child = spawn(options.command, options.args ?? [], {
    ...spawnOptions(options),
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', log, log],
  })
  if (typeof log === 'number') closeSync(log)
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const pid = child.pid ?? -1
  if (pid > 0) {
    if (options.turn !== 'first') interruptNobody(pid)
    if (options.turn === 'last') lowerPriority(pid)
    noteStart(pid, stopSignal)
  }

  /** @type {Promise<Exit>} */
  const exited = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  }).then((exit) => {
    noteEnd(pid)
    return exit
  })

  return { pid, exited, stop: () => stopChild(pid, exited, stopSignal, graceMs) }
}

/**
 * Puts the program into Linux's scheduling class for batches, in which it does not interrupt others
 * when it wakes; programs that hand each other work would do so all the time (decision 0056). If
 * that fails, the program runs as others do.
 *
 * @param {number} pid
 */
function interruptNobody(pid) {
  const chrt = ['--batch', '--all-tasks', '--pid', '0', `${pid}`]
  spawn('chrt', chrt, { stdio: 'ignore' }).on('error', () => {})
}

/** On Linux, this niceness gives a third of the share that others get. */
const LAST_NICENESS = 5

/**
 * Linux shares time out among sessions before it looks at processes, and every program here has its
 * own session, so the session gets the lower priority as well.
 *
 * @param {number} pid
 */
function lowerPriority(pid) {
  for (const lower of [
    () => setPriority(pid, LAST_NICENESS),
    () => writeFileSync(`/proc/${pid}/autogroup`, `${LAST_NICENESS}`),
  ]) {
    try {
      lower()
    } catch {
      // Priorities are a refinement: without them the other programs only wait a little longer.
    }
  }
}

/**
 * @param {number} pid
 * @param {Promise<Exit>} exited
 * @param {NodeJS.Signals} stopSignal
 * @param {number} graceMs
 */
async function stopChild(pid, exited, stopSignal, graceMs) {
  if (!isRunning(pid)) return
  signalPid(pid, stopSignal)
  if (await within(exited, graceMs)) return
  if (isRunning(pid)) signalPid(pid, 'SIGKILL')
  await within(exited, GRACE_MS)
}

/**
 * @param {Promise<unknown>} promise
 * @param {number} ms
 * @returns {Promise<boolean>} whether it settled in time
 */
async function within(promise, ms) {
  const timer = new AbortController()
  const settled = promise.then(
    () => true,
    () => true,
  )
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false)
  const inTime = await Promise.race([settled, late])
  timer.abort()
  return inTime
}
