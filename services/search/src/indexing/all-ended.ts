/** Waits for all promises, even if some fail; then throws the reason of the first that failed. */
export async function allEnded(running: Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(running)) {
    if (outcome.status === 'rejected') throw outcome.reason
  }
}
