import { setFlagsFromString } from 'node:v8'

/**
 * Bytes of bytecode that a function runs before V8 looks whether to compile it: a quarter of the
 * usual. The processes of a forum share their processors and each runs a little at a time, so code
 * stays interpreted for long: a search cost what it costs in the end after 1,500 searches instead of
 * 4,000, and then the same (by hand). V8 12 (Node 22) has no such budget: it counts calls.
 */
const INTERRUPT_BUDGET = 16_384
const HAS_INTERRUPT_BUDGET = Number.parseInt(process.versions.v8, 10) < 12

/**
 * Young garbage is collected without helpers. V8 wakes its threads for each of ten to twenty
 * collections a second, for a megabyte or less that survives, and waits until all of them had a
 * processor, which they share with every other process of the forum.
 */
const COLLECT_ALONE = ['--no-parallel-scavenge', '--no-concurrent-array-buffer-sweeping']

/**
 * Nothing is made old. Where most of the arrays that a line of code made were still in use when the
 * young were collected, V8 makes all further ones old. It takes the arrays for such into which the
 * driver of PostgreSQL puts its rows: garbage as soon as ever, but until the whole heap is collected
 * they keep what is in them, which is all that was read.
 */
const BORN_YOUNG = '--no-allocation-site-pretenuring'

/** Tells V8 how a service runs: before its threads are there, and before it has done anything. */
export function tuneEngine(): void {
  if (HAS_INTERRUPT_BUDGET) setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`)
  for (const flag of [...COLLECT_ALONE, BORN_YOUNG]) setFlagsFromString(flag)
}
