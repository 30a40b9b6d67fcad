/** Waits for all of them, whatever comes of some; then throws what the first that failed has thrown. */
export async function allEnded(running: Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(running)) {
    if (outcome.status === 'rejected') throw outcome.reason
  }
}
