import { runningPids, statFields } from '../../deploy/local/processes/proc.mjs'

/** Linux counts processor time for user space in hundredths of a second, on every architecture. */
const TICK_MS = 10
const PAGE_KIB = 4

/**
 * Processor time used so far by each of these programs and everything they started, in ms.
 *
 * @param {ReadonlyMap<string, number>} pids by name
 * @returns {Map<string, number>}
 */
function processorTime(pids) {
  const all = readAll()
  return new Map(
    [...pids].map(([name, pid]) => [name, familyOf(pid, all).reduce((sum, { ms }) => sum + ms, 0)]),
  )
}

/**
 * Resident memory of each program and what it started, in MB; shared pages count once per process.
 *
 * @param {ReadonlyMap<string, number>} pids by name
 * @returns {Map<string, number>}
 */
export function residentMemory(pids) {
  const all = readAll()
  const sum = (/** @type {number} */ pid) =>
    familyOf(pid, all).reduce((total, { rssKib }) => total + rssKib, 0) / 1_024
  return new Map([...pids].map(([name, pid]) => [name, sum(pid)]))
}

/** @typedef {{ pid: number, parent: number, ms: number, rssKib: number }} Proc */

/** @returns {Map<number, Proc>} */
function readAll() {
  const found = new Map()
  for (const pid of runningPids()) {
    const fields = statFields(pid)?.map(Number)
    // The process ended while the list was read.
    if (!fields) continue
    // The time of the process itself and of its children that have ended, each in user space and in
    // the kernel.
    const ticks = fields.slice(11, 15)
    found.set(pid, {
      pid,
      parent: fields[1],
      ms: ticks.reduce((sum, count) => sum + count, 0) * TICK_MS,
      rssKib: (fields[21] ?? 0) * PAGE_KIB,
    })
  }
  return found
}

/**
 * @param {number} root
 * @param {Map<number, Proc>} all
 * @returns {Proc[]}
 */
function familyOf(root, all) {
  const family = all.has(root) ? [/** @type {Proc} */ (all.get(root))] : []
  for (const member of family) {
    for (const proc of all.values()) if (proc.parent === member.pid) family.push(proc)
  }
  return family
}

/**
 * Runs `work` and measures the processor time that each program used during it.
 *
 * @template T
 * @param {ReadonlyMap<string, number>} pids
 * @param {() => Promise<T>} work
 * @returns {Promise<{ result: T, cpu: Map<string, number> }>} ms by name
 */
export async function withProcessorTime(pids, work) {
  const before = processorTime(pids)
  const result = await work()
  const after = processorTime(pids)
  const used = [...after].map(
    ([name, ms]) => /** @type {const} */ ([name, ms - (before.get(name) ?? 0)]),
  )
  return { result, cpu: new Map(used) }
}

/**
 * @param {ReadonlyMap<string, number>} cpu
 * @param {(name: string) => boolean} [counts]
 */
export function totalOf(cpu, counts = () => true) {
  return [...cpu].reduce((sum, [name, ms]) => (counts(name) ? sum + ms : sum), 0)
}
