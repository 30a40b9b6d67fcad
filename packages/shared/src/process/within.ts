import { afterMs } from './after-ms.ts'

/** Waits for work, but no longer than `deadlineMs`. Undefined if the work is late or fails. */
export async function within<T>(deadlineMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = afterMs(deadlineMs, () => resolve(undefined))
  })
  const result = await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
  return result
}
