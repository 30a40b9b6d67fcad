import { spawn } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

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
 * @property {'first' | 'last' | undefined} [turn] where processors are short: `first` runs as
 *   soon as it wakes, in the place of another; `last` gets less time than the others
 */

const OUTPUT_LENGTH_MAX = 64 * 1024
const GRACE_MS = 10_000

/** @type {Map<number, NodeJS.Signals>} */
const running = new Map()

/** @typedef {(running: ReadonlyMap<number, NodeJS.Signals>) => void} Write */

/** @type {Set<Write>} */
const records = new Set()

/**
 * Has every later start and end of a program noted, for whoever must clean up after a launcher
 * that was killed.
 *
 * @param {Write} write
 * @returns {() => void} ends that
 */
export function recordChildren(write) {
  records.add(write)
  return () => void records.delete(write)
}

function record() {
  for (const write of records) write(running)
}

// However this process ends, short of SIGKILL, it leaves no orphans.
process.on('exit', () => {
  for (const [pid, signal] of running) signalPid(pid, signal)
})

/**
 * @param {number} pid
 * @param {NodeJS.Signals} stopSignal
 */
function noteStart(pid, stopSignal) {
  running.set(pid, stopSignal)
  record()
}

/** @param {number} pid */
function noteEnd(pid) {
  if (running.delete(pid)) record()
}

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
 * A program of Linux's class for batches does not interrupt others when it wakes, which programs
 * that hand each other work do all the time (decision 0056). Where this cannot be done it runs as
 * others do.
 *
 * @param {number} pid
 */
function interruptNobody(pid) {
  const chrt = ['--batch', '--all-tasks', '--pid', '0', `${pid}`]
  spawn('chrt', chrt, { stdio: 'ignore' }).on('error', () => {})
}

/** A third of the share that others get, on Linux. */
const LAST_NICENESS = 5

/**
 * Linux shares time out among sessions before it looks at processes, and every program here has
 * a session of its own, so that is weighed as well.
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
      // Priorities are a refinement: without them everything is only a little later.
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
  if (!running.has(pid)) return
  signalPid(pid, stopSignal)
  if (await within(exited, graceMs)) return
  if (running.has(pid)) signalPid(pid, 'SIGKILL')
  await within(exited, GRACE_MS)
}

/**
 * Sends a signal, and says whether there was still a process to take it.
 *
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal
 */
export function signalPid(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
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

/**
 * @typedef {object} RunOptions
 * @property {string} command
 * @property {string[]} [args]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {string} [input]
 * @property {number} [timeoutMs] after so long it is ended
 * @property {number} [graceMs] how long it may take to end before SIGKILL
 * @property {boolean} [show] lets the output through to the terminal instead of collecting it
 * @property {AbortSignal} [signal] ends the program early
 */

/**
 * Runs a program to its end.
 *
 * @param {RunOptions} options
 * @returns {Promise<{ code: number, output: string }>} code -1 when it could not be started or
 *   was ended by a signal; output holds the last 64 KiB of both streams
 */
export function run(options) {
  const { timeoutMs = 600_000, graceMs = GRACE_MS, show = false, input, signal } = options
  if (signal?.aborted) return Promise.resolve({ code: -1, output: signal.reason.message })
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(options.command, options.args ?? [], {
      ...spawnOptions(options),
      stdio: ['pipe', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    })
    const pid = child.pid ?? -1
    if (pid > 0) noteStart(pid, 'SIGTERM')
    const collect = (/** @type {Buffer | string} */ chunk) => {
      output = (output + chunk).slice(-OUTPUT_LENGTH_MAX)
    }
    const end = () => endForSure(child, graceMs)
    const late = setTimeout(() => {
      collect(`It was ended after ${timeoutMs / 1000} s.`)
      end()
    }, timeoutMs)
    const settle = (/** @type {{ code: number, output: string }} */ result) => {
      clearTimeout(late)
      signal?.removeEventListener('abort', end)
      resolve(result)
    }
    signal?.addEventListener('abort', end, { once: true })
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    child.once('error', (error) => settle({ code: -1, output: output || error.message }))
    child.once('exit', () => noteEnd(pid))
    child.once('close', (code) => settle({ code: code ?? -1, output }))
  })
}

/**
 * Whatever the program started may outlive it and hold its output open: that is not waited for.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} graceMs
 */
function endForSure(child, graceMs) {
  child.kill('SIGTERM')
  const kill = setTimeout(() => {
    child.kill('SIGKILL')
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, graceMs)
  child.once('close', () => clearTimeout(kill))
}

/** @param {LaunchOptions | RunOptions} options */
function spawnOptions({ env = process.env, cwd, uid, gid }) {
  return {
    env,
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  }
}
