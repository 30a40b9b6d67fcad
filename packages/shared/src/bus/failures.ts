/** Which events this process has met, and how often each has failed; of the last, at most so many. */
export interface Failures {
  /** Counts one failure more and answers how many that are. */
  add(id: string): number
  /** Answers whether it was met before, and remembers it from now on. */
  meet(id: string): boolean
  forget(id: string): void
}

/** Counts in this process; `max` bounds how many events are remembered. */
export function countFailures(max: number): Failures {
  const counts = new Map<string, number>()
  const add = (id: string, more: number) => {
    const count = (counts.get(id) ?? 0) + more
    // Behind all others, so that the first is the one that was met longest ago.
    counts.delete(id)
    counts.set(id, count)
    if (counts.size > max) counts.delete(counts.keys().next().value as string)
    return count
  }
  return {
    add: (id) => add(id, 1),
    meet: (id) => {
      const isKnown = counts.has(id)
      add(id, 0)
      return isKnown
    },
    forget: (id) => {
      counts.delete(id)
    },
  }
}
