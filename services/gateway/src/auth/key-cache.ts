import { accountTag, isTagOfKeys, keyTag } from '@stoa/shared/answers/cache-tags.js'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { InFlight } from '@stoa/shared/process/in-flight.js'
import { LRUCache } from 'lru-cache'
import { Invalidations } from '../cache/invalidations.ts'
import { TagIndex } from '../cache/tag-index.ts'

type Find = (publicId: string) => Promise<StoredKey | null>

const KEYS_MAX = 20_000
const UNKNOWN_KEYS_MAX = 2_000
/** A net only: revocation is announced, and writes are checked again where they are made. */
const KNOWN_MS = 60_000
/** A key in use is looked up again beside its requests, so that none of them waits for it. */
const REFRESH_EVERY_MS = 30_000
const UNKNOWN_MS = 10_000

/** Times are milliseconds of the clock that does not jump. */
interface Known {
  stored: StoredKey
  until: number
  refreshAt: number
}

/** Stored keys by public id, looked up once for concurrent requests, dropped when announced. */
export class KeyCache {
  readonly #find: Find
  readonly #known = new LRUCache<string, Known>({
    max: KEYS_MAX,
    dispose: ({ stored }, publicId) => this.#tags.remove(tagsOf(stored), publicId),
  })
  /** Apart, so that guessing cannot push out live keys. */
  readonly #unknown = new LRUCache<string, true>({ max: UNKNOWN_KEYS_MAX, ttl: UNKNOWN_MS })
  readonly #tags = new TagIndex()
  readonly #lookups = new InFlight<Promise<StoredKey | null>>()
  readonly #invalidations = new Invalidations()

  constructor(find: Find) {
    this.#find = find
  }

  /** The key, if it is at hand. */
  known(publicId: string): StoredKey | undefined {
    const known = this.#known.get(publicId)
    if (!known) return undefined
    const now = performance.now()
    if (now >= known.until) {
      this.#known.delete(publicId)
      return undefined
    }
    if (now >= known.refreshAt) {
      known.refreshAt = now + REFRESH_EVERY_MS
      // What fails is left to the request that finds the key too old, and waits.
      this.#lookUpOnce(publicId).catch(() => {})
    }
    return known.stored
  }

  /** `requireMay` throws where the key may not be looked up, and is called where it has to be. */
  async find(publicId: string, requireMay = () => {}): Promise<StoredKey | null> {
    const known = this.known(publicId)
    if (known) return known
    if (this.#unknown.has(publicId)) return null
    requireMay()
    return this.#lookUpOnce(publicId)
  }

  invalidate(tags: readonly string[]): void {
    const ours = tags.filter(isTagOfKeys)
    if (ours.length === 0) return
    this.#invalidations.record(ours)
    // A lookup under way may have read the row before: later requests must not join it.
    this.#lookups.clear()
    for (const publicId of this.#tags.keysOf(ours)) this.#known.delete(publicId)
  }

  clear(): void {
    this.#invalidations.recordAll()
    this.#lookups.clear()
    this.#known.clear()
    this.#unknown.clear()
  }

  #lookUpOnce(publicId: string): Promise<StoredKey | null> {
    const running = this.#lookups.get(publicId)
    if (running !== undefined) return running
    const lookup = this.#lookUp(publicId)
    this.#lookups.set(publicId, lookup)
    const forget = () => this.#lookups.end(publicId, lookup)
    lookup.then(forget, forget)
    return lookup
  }

  async #lookUp(publicId: string): Promise<StoredKey | null> {
    const startedAt = this.#invalidations.now
    const key = await this.#find(publicId)
    if (!key) {
      this.#known.delete(publicId)
      this.#unknown.set(publicId, true)
      return null
    }
    const tags = tagsOf(key)
    if (this.#invalidations.hasSince(tags, startedAt)) return key
    const now = performance.now()
    const times = { until: now + KNOWN_MS, refreshAt: now + REFRESH_EVERY_MS }
    this.#known.set(publicId, { stored: key, ...times })
    this.#tags.add(tags, publicId)
    return key
  }
}

/** What makes a stored key outdated when it changes. */
function tagsOf({ key_id, handle }: StoredKey): string[] {
  return [keyTag(key_id), accountTag(handle)]
}
