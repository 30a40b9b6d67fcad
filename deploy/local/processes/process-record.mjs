import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeWhole } from '../write-whole.mjs'
import { descendantsOf, isAlive, known } from './known-process.mjs'
import { recordChildren, signalPid } from './own-programs.mjs'

/**
 * A file that says which process is in charge of a folder and which programs it started there. A
 * launcher killed outright leaves the file behind, and the next launcher stops the programs that
 * are left over.
 *
 * @typedef {import('./known-process.mjs').Known} Known
 * @typedef {Known & { signal: NodeJS.Signals }} Program
 * @typedef {{ owner: Known, children: Program[] }} ProcessRecord
 */

const GRACE_MS = 20_000
const POLL_MS = 50

/** @type {Map<string, () => void>} what ends the writing of each file */
const written = new Map()

/**
 * Takes charge of the folder: from now on the file names this process, the programs it starts, and
 * the programs that a launcher that is gone left running.
 *
 * @param {string} file
 */
export function takeCharge(file) {
  const left = readRecord(file)?.children ?? []
  const write = (/** @type {ReadonlyMap<number, NodeJS.Signals>} */ running) => {
    const own = [...running].map(([pid, signal]) => ({ ...known(pid), signal }))
    const children = [...left.filter(isAlive), ...own]
    writeWhole(file, JSON.stringify({ owner: known(process.pid), children }))
  }
  write(new Map())
  const end = recordChildren((running) => {
    try {
      write(running)
    } catch {
      // If the disk is full, the next start or end of a program writes the record: a running
      // program must not stop because of this.
    }
  })
  written.get(file)?.()
  written.set(file, end)
}

/** @param {string} file */
export function leaveCharge(file) {
  written.get(file)?.()
  written.delete(file)
  rmSync(file, { force: true })
}

/**
 * @param {string} file
 * @returns {number | null} the process in charge, if it is alive and another one
 */
export function otherInCharge(file) {
  const owner = readRecord(file)?.owner
  return owner && owner.pid !== process.pid && isAlive(owner) ? owner.pid : null
}

/**
 * @param {string} file
 * @returns {boolean} whether the process that was in charge is gone
 */
export function isAbandoned(file) {
  const owner = readRecord(file)?.owner
  return owner !== undefined && !isAlive(owner)
}

/**
 * Stops the programs that a launcher that is gone left running, then the programs that those had
 * started and left running, as tests do. A launcher calls this after it takes charge and before it
 * starts anything. A process id that another program has now is recognised by its start time and
 * left alone.
 *
 * @param {string} file
 * @returns {Promise<number>} how many of its programs were still running
 */
export async function stopLeftovers(file) {
  const left = (readRecord(file)?.children ?? []).filter(isAlive)
  const started = descendantsOf(left)
  await stopAll(left)
  const further = [...started, ...descendantsOf(started)].filter(isAlive)
  await stopAll(further.map((one) => ({ ...one, signal: 'SIGTERM' })))
  return left.length
}

/** @param {Program[]} programs */
async function stopAll(programs) {
  for (const { pid, signal } of programs) signalPid(pid, signal)
  const deadline = performance.now() + GRACE_MS
  while (programs.some(isAlive) && performance.now() < deadline) await sleep(POLL_MS)
  for (const program of programs) if (isAlive(program)) signalPid(program.pid, 'SIGKILL')
}

/**
 * @param {string} file
 * @returns {ProcessRecord | null} null if there is no record, or none that can be read
 */
function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
