/**
 * Runs work with a signal that is aborted after `deadlineMs`, if the work is still under way by
 * then. `AbortSignal.timeout` would abort, and make an error, long after most work is done.
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
