import { readFileSync, readlinkSync } from 'node:fs'

/** So many times longer than it may run a thread may take, however much of that it waits. */
const WAITING_TIMES = 8

/** Where the kernel counts how long the thread that calls this runs; empty where it does not say. */
export function ownThreadFile(): string {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
  } catch {
    return ''
  }
}

/**
 * Counts from now on how long a thread takes, and answers it in milliseconds whenever it is asked: as
 * long as it has run, so that what it waits on a busy machine is not held against what it does, but an
 * eighth of the time at least, in case it hangs. Where the kernel does not say, all of the time.
 */
export function timeOfThread(file: string): () => number {
  const startedAt = performance.now()
  const ranBefore = ranMs(file)
  return () => {
    const tookMs = performance.now() - startedAt
    const ran = ranMs(file)
    if (ran === undefined || ranBefore === undefined) return tookMs
    return Math.max(ran - ranBefore, tookMs / WAITING_TIMES)
  }
}

function ranMs(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) / 1_000_000
  } catch {
    return undefined
  }
}
