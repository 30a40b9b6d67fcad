import type { Entry, Loaded } from './entry.ts'

export type Load = () => Promise<Loaded>

/** One fill on its way, which others may join. */
export interface Flight {
  /** A moment of the invalidations. */
  startedAt: number
  startedAtMs: number
  /** What had been dropped until it began. */
  drops: number
  /** When the first list was outdated since. */
  overtakenAtMs?: number
  result: Promise<Entry>
}

/** An entry and what decides how long it is served. */
export interface Kept {
  entry: Entry
  /** By the clock of the cache. */
  storedAtMs: number
  /** Of the fill that gave it. */
  startedAt: number
  startedAtMs: number
  /** Reads it again; absent where that needs the request itself. */
  renew: Load | undefined
  /** Whether anybody was given it since it was filled. */
  isAsked: boolean
  /** Since when something it should show is missing. */
  outdatedAtMs: number | undefined
}
