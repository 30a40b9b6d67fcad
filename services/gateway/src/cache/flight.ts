import type { Entry, Loaded } from './entry.ts'

export type Load = () => Promise<Loaded>

/** One fill under way, which other requests may join. */
export interface Flight {
  /** The moment of the invalidations at which the fill started. */
  startedAt: number
  startedAtMs: number
  /** The cache's count of drops when the fill started. */
  drops: number
  /** When a list was first outdated after the fill started. */
  overtakenAtMs?: number
  result: Promise<Entry>
}

/** An entry and the facts that decide how long it is served. */
export interface Kept {
  entry: Entry
  /** When the entry was stored, by the clock of the cache. */
  storedAtMs: number
  /** When the fill that loaded the entry started. */
  startedAt: number
  startedAtMs: number
  /** Loads the entry again; undefined if that needs the request itself. */
  renew: Load | undefined
  /** Whether any request was answered with the entry since it was filled. */
  isAsked: boolean
  /** Since when the entry lacks a change that it should show. */
  outdatedAtMs: number | undefined
}
