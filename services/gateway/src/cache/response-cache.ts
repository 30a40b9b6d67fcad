import { isAppError } from '@stoa/shared/errors.js'
import { LRUCache } from 'lru-cache'
import { Entry, type Loaded } from './entry.ts'
import { Invalidations } from './invalidations.ts'

export interface CacheLimits {
  bytesMax: number
  /** How long an entry is served without asking again. */
  freshMs: number
  /** How long an entry may stand in for an answer while the bus is away. */
  staleIfErrorMs: number
}

interface Flight {
  startedAt: number
  result: Promise<Entry>
}

const ENTRIES_MAX = 50_000
const JOINS_MAX = 3

/**
 * Public answers by canonical key. Concurrent requests for one key share one fill. A fill is kept,
 * or shared with a request that came later, only if none of its tags was invalidated since it began:
 * so whoever wrote something never reads an answer from before.
 */
export class ResponseCache {
  readonly #limits: CacheLimits
  readonly #clock: () => number
  readonly #entries: LRUCache<string, Entry>
  readonly #keysByTag = new Map<string, Set<string>>()
  readonly #flights = new Map<string, Flight>()
  readonly #invalidations = new Invalidations()
  #isConnected = true

  constructor(limits: CacheLimits, clock: () => number = Date.now) {
    this.#limits = limits
    this.#clock = clock
    this.#entries = new LRUCache<string, Entry>({
      max: ENTRIES_MAX,
      maxSize: limits.bytesMax,
      sizeCalculation: (entry) => entry.bytesMax,
      dispose: (entry, key) => this.#untag(entry, key),
    })
  }

  /** The entry, while nobody needs to be asked whether it still holds. */
  fresh(key: string): Entry | undefined {
    const entry = this.#isConnected ? this.#entries.get(key) : undefined
    return entry && this.#clock() - entry.storedAt < this.#limits.freshMs ? entry : undefined
  }

  /**
   * The entry, or what `load` gives. Throws what `load` throws, except that while the bus is away an
   * entry not too old answers in its stead.
   */
  async read(key: string, load: () => Promise<Loaded>): Promise<Entry> {
    for (let joins = 0; joins < JOINS_MAX; joins++) {
      const entry = this.fresh(key)
      if (entry) return entry
      const flight = this.#flights.get(key)
      if (!flight) return this.#start(key, load)
      const joined = await this.#join(flight)
      if (joined) return joined
    }
    return this.#start(key, load)
  }

  invalidate(tags: readonly string[]): void {
    if (tags.length === 0) return
    this.#invalidations.record(tags)
    for (const tag of tags) {
      for (const key of this.#keysByTag.get(tag) ?? []) this.#entries.delete(key)
    }
  }

  /** Invalidations may be missed from now on. */
  disconnected(): void {
    this.#isConnected = false
    this.#invalidations.recordAll()
  }

  /** Invalidations were missed until now. */
  reconnected(): void {
    this.#entries.clear()
    this.#invalidations.recordAll()
    this.#isConnected = true
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize }
  }

  #start(key: string, load: () => Promise<Loaded>): Promise<Entry> {
    const startedAt = this.#invalidations.now
    const result = this.#fill(key, startedAt, load)
    const flight = { startedAt, result }
    this.#flights.set(key, flight)
    const land = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    }
    result.then(land, land)
    return result
  }

  async #fill(key: string, startedAt: number, load: () => Promise<Loaded>): Promise<Entry> {
    let loaded: Loaded
    try {
      loaded = await load()
    } catch (error) {
      const stale = this.#stale(key, error)
      if (stale) return stale
      throw error
    }
    const entry = new Entry(loaded, this.#clock())
    const isCurrent = !this.#invalidations.hasSince(entry.tags, startedAt)
    if (loaded.isKept !== false && isCurrent && this.#isConnected) this.#keep(key, entry)
    return entry
  }

  /** Waits for another request's fill; undefined when its answer may be too old for this one. */
  async #join({ startedAt, result }: Flight): Promise<Entry | undefined> {
    const joinedAt = this.#invalidations.now
    try {
      const entry = await result
      return this.#invalidations.hasSince(entry.tags, startedAt) ? undefined : entry
    } catch (error) {
      // A refusal has no tags, so it is shared only where nothing at all was invalidated.
      const isOutage = isAppError(error) && error.status >= 500
      if (isOutage || joinedAt === startedAt) throw error
      return undefined
    }
  }

  #stale(key: string, error: unknown): Entry | undefined {
    const isOutage = isAppError(error) && (error.code === 'unavailable' || error.code === 'timeout')
    if (this.#isConnected || !isOutage) return undefined
    const entry = this.#entries.get(key)
    return entry && this.#clock() - entry.storedAt < this.#limits.staleIfErrorMs ? entry : undefined
  }

  #keep(key: string, entry: Entry): void {
    const older = this.#entries.get(key)
    if (older) entry.inherit(older)
    this.#entries.set(key, entry)
    if (!this.#entries.has(key)) return
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag)
      if (keys) keys.add(key)
      else this.#keysByTag.set(tag, new Set([key]))
    }
  }

  #untag(entry: Entry, key: string): void {
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysByTag.delete(tag)
    }
  }
}
