import { setTimeout as sleep } from 'node:timers/promises'

/** Waits, at most until `signal` is aborted; it never throws. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
