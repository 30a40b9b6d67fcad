import { readFileSync } from 'node:fs'
import { runningPids, statFields } from './proc.mjs'

/** @typedef {{ pid: number, identity: string }} Known a process id with proof of who has it */

/**
 * @param {number} pid
 * @returns {Known} the identity is empty when there is no such process
 */
export function known(pid) {
  const stat = statOf(pid)
  const isThere = stat !== undefined && stat.state !== 'Z'
  return { pid, identity: isThere ? `${bootId()} ${stat.startedAt}` : '' }
}

/** @param {Known} process */
export function isAlive({ pid, identity }) {
  return identity !== '' && known(pid).identity === identity
}

/**
 * The running processes that these have started, directly or through others. The children of a
 * process that is gone are not known any more.
 *
 * @param {Known[]} processes
 * @returns {Known[]}
 */
export function descendantsOf(processes) {
  const parents = new Map(runningPids().map((pid) => [pid, statOf(pid)?.parent]))
  const found = new Set(processes.filter(isAlive).map(({ pid }) => pid))
  // A loop over a set also visits the entries that are added during the loop.
  for (const parent of found) {
    for (const [pid, its] of parents) if (its === parent) found.add(pid)
  }
  for (const { pid } of processes) found.delete(pid)
  return [...found].map(known)
}

/** @param {number} pid */
function statOf(pid) {
  const fields = statFields(pid)
  return fields && { state: fields[0], parent: Number(fields[1]), startedAt: fields[19] }
}

function bootId() {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}
