/** How often each event has failed; of those that failed last, at most so many. */
export interface Failures {
  /** Counts one failure more and answers how many that are. */
  add(id: string): number
  forget(id: string): void
}

/** Counts in this process; `max` bounds how many events are remembered. */
export function countFailures(max: number): Failures {
  const counts = new Map<string, number>()
  return {
    add: (id) => {
      const count = (counts.get(id) ?? 0) + 1
      // Behind all others, so that the first is the one that failed longest ago.
      counts.delete(id)
      counts.set(id, count)
      if (counts.size > max) counts.delete(counts.keys().next().value as string)
      return count
    },
    forget: (id) => {
      counts.delete(id)
    },
  }
}
