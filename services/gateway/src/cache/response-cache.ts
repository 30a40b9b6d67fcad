import { setImmediate as turnEnds } from 'node:timers/promises'
import { isListTag } from '@stoa/shared/answers/cache-tags.js'
import { isServerError, isUnanswered } from '@stoa/shared/errors/errors.js'
import { InFlight } from '@stoa/shared/process/in-flight.js'
import { within } from '@stoa/shared/process/within.js'
import { Entry, type Load, type Loaded } from './entry.ts'
import { Invalidations } from './invalidations.ts'
import { type Kept, KeptEntries } from './kept-entries.ts'

interface CacheLimits {
  bytesMax: number
  /** How long an entry is served without asking its owner again. */
  freshMs: number
  /** How long an outdated list is served at most while it is read again. */
  graceMs: number
  /** How long an entry may stand in for an answer while the bus is away. */
  staleIfErrorMs: number
}

/** One fill under way, which other requests may join. */
interface Flight {
  /** The moment of the invalidations at which the fill started. */
  startedAt: number
  startedAtMs: number
  /** The cache's count of drops when the fill started. */
  drops: number
  /** When a list was first outdated after the fill started. */
  overtakenAtMs?: number
  result: Promise<Entry>
}

const JOINS_MAX = 3
/** The least time from the start of one renewal of a list to the start of the next. */
const RENEWAL_INTERVAL_MS = 10
/** The most renewals planned and fills under way: further lists are dropped, and read on demand. */
export const RENEWALS_MAX = 32

/**
 * Public answers by canonical key. Concurrent requests for one key share one fill. An answer whose
 * fill began before one of its tags was invalidated is neither kept nor shared with a later
 * request, so a writer never reads an answer from before its write. Lists that are asked for again
 * and again are read again in the background, and their readers never wait for that: see `outdate`.
 */
export class ResponseCache {
  readonly #limits: CacheLimits
  readonly #clock: () => number
  readonly #entries: KeptEntries
  readonly #flights = new InFlight<Flight>()
  readonly #renewals = new InFlight<Promise<unknown>>()
  /** Every change the cache was told of; its moments count for `#dropped` too. */
  readonly #told = new Invalidations()
  /** The changes after which no older answer that shows their tags may be served. */
  readonly #dropped = new Invalidations()
  #drops = 0
  #isConnected = true

  constructor(limits: CacheLimits, clock: () => number = () => performance.now()) {
    this.#limits = limits
    this.#clock = clock
    this.#entries = new KeptEntries(limits.bytesMax)
  }

  /** The entry, as long as it may be served without asking its owner. */
  fresh(key: string): Entry | undefined {
    const kept = this.#isConnected ? this.#entries.get(key) : undefined
    if (!kept) return undefined
    const now = this.#clock()
    if (now - kept.storedAtMs >= this.#limits.freshMs) return undefined
    if (!this.#isWithinGrace(kept.outdatedAtMs, now)) return undefined
    kept.isAsked = true
    return kept.entry
  }

  /**
   * The entry, or what `load` gives. Throws what `load` throws, except that while the bus is away
   * an entry that is not too old is returned instead. A renewable `load` references nothing of its
   * request.
   */
  async read(key: string, load: Load, isRenewable = false): Promise<Entry> {
    for (let joins = 0; joins < JOINS_MAX; joins++) {
      const entry = this.fresh(key)
      if (entry) return entry
      const flight = this.#flights.get(key)
      if (!flight) return this.#start(key, load, isRenewable)
      const joined = await this.#join(flight)
      if (joined) return joined
    }
    return this.#start(key, load, isRenewable)
  }

  /** Drops every entry that shows one of the tags. */
  invalidate(tags: readonly string[]): void {
    this.#drop(tags, this.#told.record(tags))
  }

  /**
   * Takes note of what others wrote. A list that shows one of the tags, and was asked for since it
   * was read, is read again, and until then served for graceMs at most; other entries that show one
   * are dropped.
   */
  outdate(tags: readonly string[]): void {
    this.#outdate(tags)
  }

  /**
   * Like `outdate`, for a write that is yet to be answered. Resolves within graceMs, and from then
   * on nothing from before the call is served.
   */
  async settle(tags: readonly string[]): Promise<void> {
    const { lists, moment, renewals } = this.#outdate(tags)
    await within(this.#limits.graceMs, Promise.all(renewals))
    this.#drop(lists, moment)
  }

  /** Invalidations may be missed from now on. */
  disconnected(): void {
    this.#isConnected = false
    this.#dropped.recordAll(this.#told.recordAll())
    this.#drops++
  }

  /** Invalidations were missed until now. */
  reconnected(): void {
    this.#entries.clear()
    this.#dropped.recordAll(this.#told.recordAll())
    this.#drops++
    this.#isConnected = true
  }

  /** Whether there is an entry, fresh or not. */
  has(key: string): boolean {
    return this.#entries.peek(key) !== undefined
  }

  get size(): { entries: number; bytes: number } {
    return this.#entries.size
  }

  /** From now on nothing is served that shows one of the tags and was filled before the moment. */
  #drop(tags: readonly string[], moment: number): void {
    if (tags.length === 0) return
    this.#drops++
    this.#dropped.record(tags, moment)
    for (const key of this.#entries.keysOf(tags)) {
      if ((this.#entries.peek(key)?.startedAt ?? 0) < moment) this.#entries.drop(key)
    }
  }

  #outdate(tags: readonly string[]) {
    const lists = tags.filter(isListTag)
    this.invalidate(tags.filter((tag) => !isListTag(tag)))
    const moment = this.#told.record(lists)
    const now = this.#clock()
    if (lists.length > 0) {
      for (const flight of this.#flights.values()) flight.overtakenAtMs ??= now
    }
    const renewals: Promise<unknown>[] = []
    for (const key of this.#entries.keysOf(lists)) {
      const kept = this.#entries.peek(key) as Kept
      const renewal = this.#renewSoon(key, kept)
      kept.outdatedAtMs ??= now
      if (renewal === undefined) this.#entries.drop(key)
      else renewals.push(renewal)
    }
    return { lists, moment, renewals }
  }

  /** The next renewal, which begins after this call; undefined if the list is not to be renewed. */
  #renewSoon(key: string, kept: Kept): Promise<unknown> | undefined {
    const { renew } = kept
    if (!kept.isAsked || !renew) return undefined
    const planned = this.#renewals.get(key)
    if (planned !== undefined) return planned
    if (this.#renewals.size + this.#flights.size >= RENEWALS_MAX) return undefined
    const { startedAtMs } = this.#flights.get(key) ?? kept
    const pauseMs = startedAtMs + RENEWAL_INTERVAL_MS - this.#clock()
    // One renewal covers the notices that come in one packet.
    const renewal = (pauseMs > 0 ? pause(pauseMs) : turnEnds()).then(() => {
      void this.#renewals.take(key)
      return this.#renew(key, renew)
    })
    this.#renewals.set(key, renewal)
    return renewal
  }

  async #renew(key: string, load: Load): Promise<void> {
    // The entry was dropped in the meantime: the next request reads it.
    if (!this.#entries.peek(key) || !this.#isConnected) return
    const flight = this.#flights.get(key)
    const coversAll = flight?.startedAt === this.#told.now
    try {
      await (coversAll ? flight?.result : this.#start(key, load, true))
    } catch {
      // A list that could not be read is not served: the next reader is told why.
      this.#entries.drop(key)
    }
  }

  #start(key: string, load: Load, isRenewable: boolean): Promise<Entry> {
    const [startedAt, startedAtMs, drops] = [this.#told.now, this.#clock(), this.#drops]
    const flight = { startedAt, startedAtMs, drops } as Flight
    flight.result = this.#fill(key, flight, load, isRenewable)
    this.#flights.set(key, flight)
    const land = () => this.#flights.end(key, flight)
    flight.result.then(land, land)
    return flight.result
  }

  async #fill(key: string, flight: Flight, load: Load, isRenewable: boolean): Promise<Entry> {
    let loaded: Loaded
    try {
      loaded = await load()
    } catch (error) {
      const stale = this.#stale(key, error)
      if (stale) return stale
      throw error
    }
    const entry = new Entry(loaded)
    const isCurrent = !this.#dropped.hasSince(entry.tags, flight.startedAt)
    if (loaded.isKept !== false && isCurrent) {
      const { startedAt, startedAtMs } = flight
      const outdatedAtMs = this.#outdatedAt(entry, flight)
      const renew = isRenewable ? load : undefined
      this.#entries.keep(key, {
        entry,
        storedAtMs: this.#clock(),
        startedAt,
        startedAtMs,
        renew,
        isAsked: false,
        outdatedAtMs,
      })
    }
    return entry
  }

  /**
   * Since when a fill lacks a change that came while it was under way; undefined if it lacks none.
   */
  #outdatedAt(entry: Entry, { startedAt, startedAtMs, overtakenAtMs }: Flight): number | undefined {
    return this.#told.hasSince(entry.tags, startedAt) ? (overtakenAtMs ?? startedAtMs) : undefined
  }

  #isWithinGrace(outdatedAtMs: number | undefined, now: number): boolean {
    return outdatedAtMs === undefined || now - outdatedAtMs < this.#limits.graceMs
  }

  /**
   * Waits for another request's fill; undefined if the fill may lack what was written before this
   * request came. It may lack what was written afterwards, as the answer to the other request may.
   */
  async #join(flight: Flight): Promise<Entry | undefined> {
    const joinedAt = this.#told.now
    const { overtakenAtMs } = flight
    const isWhole = this.#drops === flight.drops
    try {
      const entry = await flight.result
      if (!isWhole && this.#dropped.hasSince(entry.tags, flight.startedAt)) return undefined
      if (overtakenAtMs === undefined) return entry
      const outdatedAtMs = this.#outdatedAt(entry, flight)
      return this.#isWithinGrace(outdatedAtMs, this.#clock()) ? entry : undefined
    } catch (error) {
      // A refusal has no tags, so it is shared only if nothing at all was invalidated.
      if (isServerError(error) || joinedAt === flight.startedAt) throw error
      return undefined
    }
  }

  #stale(key: string, error: unknown): Entry | undefined {
    if (this.#isConnected || !isUnanswered(error)) return undefined
    const kept = this.#entries.get(key)
    const isUsable = kept && this.#clock() - kept.storedAtMs < this.#limits.staleIfErrorMs
    return isUsable ? kept.entry : undefined
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
