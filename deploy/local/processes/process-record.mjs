import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordChildren, signalPid } from './child.mjs'

/**
 * A file that says which process is in charge of a folder and which programs it started there.
 * A launcher killed outright leaves it behind, and the next one stops what is left over.
 *
 * @typedef {{ pid: number, identity: string }} Known a process id with proof of who has it
 * @typedef {{ owner: Known, children: (Known & { signal: NodeJS.Signals })[] }} ProcessRecord
 */

const GRACE_MS = 20_000
const POLL_MS = 50

/** @type {Map<string, () => void>} what ends the writing of each file */
const written = new Map()

/**
 * Takes charge: from now on the file names this process and what it starts, besides what a launcher
 * that is gone left running.
 *
 * @param {string} file
 */
export function takeCharge(file) {
  const left = readRecord(file)?.children ?? []
  const write = (/** @type {ReadonlyMap<number, NodeJS.Signals>} */ running) => {
    const own = [...running].map(([pid, signal]) => ({ ...known(pid), signal }))
    const children = [...left.filter(isAlive), ...own]
    writeFileSync(`${file}.new`, JSON.stringify({ owner: known(process.pid), children }))
    renameSync(`${file}.new`, file)
  }
  write(new Map())
  const end = recordChildren((running) => {
    try {
      write(running)
    } catch {
      // On a full disk it is noted with the next start or end: nothing that runs is stopped for it.
    }
  })
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
 * @returns {boolean} whether whoever was in charge is gone
 */
export function isAbandoned(file) {
  const owner = readRecord(file)?.owner
  return owner !== undefined && !isAlive(owner)
}

/**
 * Stops what a launcher that is gone left running; whoever has taken charge does so before it starts
 * anything. A process id that has since gone to another
 * program is recognised by its start time and left alone.
 *
 * @param {string} file
 * @returns {Promise<number>} how many programs were still running
 */
export async function stopLeftovers(file) {
  const left = (readRecord(file)?.children ?? []).filter(isAlive)
  for (const { pid, signal } of left) signalPid(pid, signal)
  const deadline = Date.now() + GRACE_MS
  while (left.some(isAlive) && Date.now() < deadline) await sleep(POLL_MS)
  for (const child of left) if (isAlive(child)) signalPid(child.pid, 'SIGKILL')
  return left.length
}

/**
 * @param {string} file
 * @returns {ProcessRecord | null}
 */
function readRecord(file) {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
  } catch {
    return null
  }
}

/** @param {Known} process */
function isAlive({ pid, identity }) {
  return identity !== '' && known(pid).identity === identity
}

/**
 * @param {number} pid
 * @returns {Known} the identity is empty when there is no such process
 */
function known(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Fields follow the program's name in parentheses: the state first, the start time 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { pid, identity: fields[0] === 'Z' ? '' : `${boot} ${fields[19]}` }
  } catch {
    return { pid, identity: '' }
  }
}
