import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects young garbage alone, as V8 does by itself between its collections of everything. */
export function youngCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void
  return () => collect({ type: 'minor' })
}

/** Bytes that some work leaves on the heap once all its garbage is collected. */
export async function keptBytes(work: () => unknown): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage().heapUsed
  await work()
  collect()
  return process.memoryUsage().heapUsed - before
}

/** Bytes that have outlived the nursery, garbage included. */
export function oldBytes(): number {
  const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')
  return old?.space_used_size ?? Number.NaN
}
