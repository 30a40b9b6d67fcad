import { afterMs } from './after-ms.ts'

/** Waits for work, whether it fails or not, but no longer than `deadlineMs`. */
export async function within(deadlineMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = afterMs(deadlineMs, resolve)
  })
  await Promise.race([work.catch(() => {}), late])
  clearTimeout(timer)
}
