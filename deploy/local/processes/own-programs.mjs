/** Tracks the programs that this process has started and that still run. */

/** @type {Map<number, NodeJS.Signals>} */
const running = new Map()

/** @typedef {(running: ReadonlyMap<number, NodeJS.Signals>) => void} Write */

/** @type {Set<Write>} */
const records = new Set()

/**
 * Calls `write` after every later start and end of a program, so that the next launcher can clean
 * up after one that was killed.
 *
 * @param {Write} write
 * @returns {() => void} stops these calls
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
export function noteStart(pid, stopSignal) {
  running.set(pid, stopSignal)
  record()
}

/** @param {number} pid */
export function noteEnd(pid) {
  if (running.delete(pid)) record()
}

/** @param {number} pid */
export function isRunning(pid) {
  return running.has(pid)
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
