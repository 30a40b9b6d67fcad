/** How what has been started is stopped again: the last first. */
export class Stops {
  readonly #stops: (() => unknown)[] = []

  add(stop: () => unknown): void {
    this.#stops.push(stop)
  }

  /** Goes on where one fails, and fails with the first of them. */
  async stop(): Promise<void> {
    const failures: unknown[] = []
    for (const stop of this.#stops.splice(0).reverse()) {
      await (async () => stop())().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }
}

/** Starts something of several parts: where one does not start, those that did are stopped. */
export async function allOrNothing<T>(start: (stops: Stops) => Promise<T>): Promise<T> {
  const stops = new Stops()
  try {
    return await start(stops)
  } catch (error) {
    // What failed first says more than what failed in its wake.
    await stops.stop().catch(() => {})
    throw error
  }
}

/** As `Promise.all`, but fails when all have settled: none comes up behind the back of whoever stops them. */
export async function settledAll<T extends readonly unknown[]>(
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(starting)
  return Promise.all(starting)
}
