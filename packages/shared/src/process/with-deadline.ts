/**
 * Runs work with a signal that is aborted after so many milliseconds, if it is still under way by then.
 * `AbortSignal.timeout` would be aborted, and make an error, long after most work is done.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), deadlineMs)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
