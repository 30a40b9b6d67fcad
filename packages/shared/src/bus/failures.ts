/**
 * Which events this process has met, and how often each has failed; only the most recent events.
 */
export interface Failures {
  /** Counts one more failure and returns how many there are. */
  add(id: string): number
  /** Returns whether the event was met before, and remembers it from now on. */
  meet(id: string): boolean
  forget(id: string): void
}

/** Counts in this process; `max` bounds how many events are remembered. */
export function countFailures(max: number): Failures {
  const counts = new Map<string, number>()
  const add = (id: string, more: number) => {
    const count = (counts.get(id) ?? 0) + more
    // Moved to the end, so that the first event is the one that was met longest ago.
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
