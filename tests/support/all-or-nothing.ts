/** Stops what has been started, the last first. */
export class Stops {
  readonly #stops: (() => unknown)[] = []

  add(stop: () => unknown): void {
    this.#stops.push(stop)
  }

  /** Calls every stop even if one fails, then throws the first failure. */
  async stop(): Promise<void> {
    const failures: unknown[] = []
    for (const stop of this.#stops.splice(0).reverse()) {
      await (async () => stop())().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }
}

/** Starts something of several parts: if one does not start, the parts that did are stopped. */
export async function allOrNothing<T>(start: (stops: Stops) => Promise<T>): Promise<T> {
  const stops = new Stops()
  try {
    return await start(stops)
  } catch (error) {
    // The first failure says more than those that follow from it.
    await stops.stop().catch(() => {})
    throw error
  }
}

/**
 * Like `Promise.all`, but fails only when all have settled, so that nothing starts after the caller
 * has stopped everything.
 */
export async function settledAll<T extends readonly unknown[]>(
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(starting)
  return Promise.all(starting)
}
