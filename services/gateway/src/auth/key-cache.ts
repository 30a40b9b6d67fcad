import { accountTag, isTagOfKeys, keyTag } from '@stoa/shared/answers/cache-tags.js'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { hashesEqual } from '@stoa/shared/identifiers/api-key.js'
import { InFlight, joinOrStart } from '@stoa/shared/process/in-flight.js'
import { LRUCache } from 'lru-cache'
import { Invalidations } from '../cache/invalidations.ts'
import { TagIndex } from '../cache/tag-index.ts'

/** What a caller gave of its key; a session of the console holds no more than the public id. */
export interface GivenKey {
  publicId: string
  hash?: Buffer
}

type Find = (given: GivenKey) => Promise<StoredKey | null>

const KEYS_MAX = 20_000
const UNKNOWN_KEYS_MAX = 2_000
/**
 * Only a safety net: revocations are announced, and every write checks its key again in content.
 */
const KNOWN_MS = 60_000
/**
 * How often a key in use is looked up again, in the background; the look-up also records its use.
 */
const REFRESH_EVERY_MS = 30_000
const UNKNOWN_MS = 10_000

/** Times are in milliseconds of the monotonic clock. */
interface Known {
  stored: StoredKey
  until: number
  refreshAt: number
}

/**
 * Stored keys by public id, looked up once for concurrent requests, dropped on announced changes.
 */
export class KeyCache {
  readonly #find: Find
  readonly #known = new LRUCache<string, Known>({
    max: KEYS_MAX,
    dispose: ({ stored }, publicId) => this.#tags.remove(tagsOf(stored), publicId),
  })
  /** Unknown keys are kept apart, so that guesses cannot push out keys in use. */
  readonly #unknown = new LRUCache<string, true>({ max: UNKNOWN_KEYS_MAX, ttl: UNKNOWN_MS })
  readonly #tags = new TagIndex()
  readonly #lookups = new InFlight<Promise<StoredKey | null>>()
  readonly #invalidations = new Invalidations()

  constructor(find: Find) {
    this.#find = find
  }

  /** The stored key, if it is in the cache. */
  known(publicId: string): StoredKey | undefined {
    const known = this.#known.get(publicId)
    return known && performance.now() < known.until ? known.stored : undefined
  }

  /**
   * The stored key, or null. Before a look-up it calls `requireMay`, which throws if none is
   * allowed.
   */
  async find(given: GivenKey, requireMay = () => {}): Promise<StoredKey | null> {
    const known = this.known(given.publicId)
    if (known) return known
    if (this.#unknown.has(given.publicId)) return null
    requireMay()
    return this.#lookUpOnce(given)
  }

  /** A request has proved to hold the whole key, and not only its public id. */
  used(publicId: string): void {
    const known = this.#known.get(publicId)
    const now = performance.now()
    if (!known || now < known.refreshAt) return
    known.refreshAt = now + REFRESH_EVERY_MS
    // A failed look-up is left to the request that finds the key too old and waits for it.
    this.#lookUpOnce({ publicId, hash: hashOf(known.stored) }).catch(() => {})
  }

  invalidate(tags: readonly string[]): void {
    const ours = tags.filter(isTagOfKeys)
    if (ours.length === 0) return
    this.#invalidations.record(ours)
    // A look-up under way may have read the row before the change: later requests must not join.
    this.#lookups.clear()
    for (const publicId of this.#tags.keysOf(ours)) this.#known.delete(publicId)
  }

  clear(): void {
    this.#invalidations.recordAll()
    this.#lookups.clear()
    this.#known.clear()
    this.#unknown.clear()
  }

  #lookUpOnce(given: GivenKey): Promise<StoredKey | null> {
    return joinOrStart(this.#lookups, given.publicId, () => this.#lookUp(given))
  }

  async #lookUp(given: GivenKey): Promise<StoredKey | null> {
    const { publicId, hash } = given
    const startedAt = this.#invalidations.now
    const key = await this.#find(given)
    if (!key) {
      this.#known.delete(publicId)
      this.#unknown.set(publicId, true)
      return null
    }
    const tags = tagsOf(key)
    if (this.#invalidations.hasSince(tags, startedAt)) return key
    const now = performance.now()
    // A look-up with a wrong secret records no use, so the next use of the key looks it up again.
    const isNoted = hash !== undefined && hashesEqual(hash, hashOf(key))
    const times = { until: now + knownMs(key), refreshAt: isNoted ? now + REFRESH_EVERY_MS : now }
    this.#known.set(publicId, { stored: key, ...times })
    this.#tags.add(tags, publicId)
    return key
  }
}

/**
 * How long the key is kept. A key that expires sooner is looked up again at its end, because only
 * the clock that dated the end can say that it has come.
 */
function knownMs({ revoked, expires_in_ms: leftMs }: StoredKey): number {
  return revoked ? KNOWN_MS : Math.min(KNOWN_MS, leftMs ?? KNOWN_MS)
}

export function hashOf({ hash_hex }: StoredKey): Buffer {
  return Buffer.from(hash_hex, 'hex')
}

/** The tags whose invalidation makes a stored key outdated. */
function tagsOf({ key_id, handle }: StoredKey): string[] {
  return [keyTag(key_id), accountTag(handle)]
}
