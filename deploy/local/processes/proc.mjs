import { readdirSync, readFileSync } from 'node:fs'

/** @returns {number[]} empty on a system without /proc, which is any but Linux */
export function runningPids() {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/**
 * The fields of /proc/PID/stat after the name of the process (`man 5 proc_pid_stat`): the state
 * first, then the parent.
 *
 * @param {number} pid
 * @returns {string[] | undefined} undefined if there is no such process
 */
export function statFields(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name stands in parentheses and may hold spaces; the fields after it do not.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
