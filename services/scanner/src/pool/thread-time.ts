import { readFileSync, readlinkSync } from 'node:fs'

/** How many times its allowed running time a thread may take, with all waiting included. */
const WAITING_TIMES = 8

/** The file in which the kernel counts the calling thread's running time; empty without one. */
export function ownThreadFile(): string {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
  } catch {
    return ''
  }
}

/**
 * Starts counting a thread's time. The returned function gives it in milliseconds: the time that
 * the thread has run, so that waiting on a busy machine does not count, but at least an eighth of
 * the elapsed time, in case it hangs. If the kernel does not count, all of the elapsed time.
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
