import { setFlagsFromString } from 'node:v8'

/**
 * Bytes of bytecode that a function runs before V8 considers compiling it: a quarter of the
 * default. The processes of a forum share their processors and each runs a little at a time, so
 * code stays interpreted for long: with this budget a search reaches its final cost after 1,500
 * searches instead of 4,000, and the same cost (measured by hand). V8 12 (Node 22) has no such
 * budget: it counts calls.
 */
const INTERRUPT_BUDGET = 16_384
const HAS_INTERRUPT_BUDGET = Number.parseInt(process.versions.v8, 10) < 12

/**
 * Young garbage is collected without helper threads. V8 would wake them for each of ten to twenty
 * collections a second, in which a megabyte or less survives, and wait until all of them had a
 * processor, which they share with every other process of the forum.
 */
const COLLECT_ALONE = ['--no-parallel-scavenge', '--no-concurrent-array-buffer-sweeping']

/**
 * Keeps V8 from allocating in the old generation. If most arrays that a line of code made were
 * still in use at a collection of the young generation, V8 makes all later ones old. It would do so
 * with the arrays into which the driver of PostgreSQL puts its rows: they become garbage as soon as
 * ever, but keep all that was read until the whole heap is collected.
 */
const BORN_YOUNG = '--no-allocation-site-pretenuring'

/** Sets V8's flags for a service. Call it before V8 has started its threads or done any work. */
export function tuneEngine(): void {
  if (HAS_INTERRUPT_BUDGET) setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`)
  for (const flag of [...COLLECT_ALONE, BORN_YOUNG]) setFlagsFromString(flag)
}
