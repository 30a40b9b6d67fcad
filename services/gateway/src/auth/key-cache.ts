import { accountTag, isTagOfKeys, keyTag } from '@stoa/shared/answers/cache-tags.js'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { hashesEqual } from '@stoa/shared/identifiers/api-key.js'
import { InFlight, joinOrStart } from '@stoa/shared/process/in-flight.js'
import { LRUCache } from 'lru-cache'
import { Invalidations } from '../cache/invalidations.ts'
import { TagIndex } from '../cache/tag-index.ts'

/** What was sent of a key; a session of the console knows no more than the public half. */
export interface GivenKey {
  publicId: string
  hash?: Buffer
}

type Find = (given: GivenKey) => Promise<StoredKey | null>

const KEYS_MAX = 20_000
const UNKNOWN_KEYS_MAX = 2_000
/** A net only: revocation is announced, and writes are checked again where they are made. */
const KNOWN_MS = 60_000
/** A key in use is looked up again beside its requests, so that none of them waits, and its use is noted. */
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
    return known && performance.now() < known.until ? known.stored : undefined
  }

  /** `requireMay` throws where the key may not be looked up, and is called where it has to be. */
  async find(given: GivenKey, requireMay = () => {}): Promise<StoredKey | null> {
    const known = this.known(given.publicId)
    if (known) return known
    if (this.#unknown.has(given.publicId)) return null
    requireMay()
    return this.#lookUpOnce(given)
  }

  /** Somebody has shown to have the key, and not only its public half. */
  used(publicId: string): void {
    const known = this.#known.get(publicId)
    const now = performance.now()
    if (!known || now < known.refreshAt) return
    known.refreshAt = now + REFRESH_EVERY_MS
    // What fails is left to the request that finds the key too old, and waits.
    this.#lookUpOnce({ publicId, hash: hashOf(known.stored) }).catch(() => {})
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
    // A guess has noted no use, so the next use is.
    const isNoted = hash !== undefined && hashesEqual(hash, hashOf(key))
    const times = { until: now + knownMs(key), refreshAt: isNoted ? now + REFRESH_EVERY_MS : now }
    this.#known.set(publicId, { stored: key, ...times })
    this.#tags.add(tags, publicId)
    return key
  }
}

/** One that ends before is asked for again then: only the clock that dated its end says that it has come. */
function knownMs({ revoked, expires_in_ms: leftMs }: StoredKey): number {
  return revoked ? KNOWN_MS : Math.min(KNOWN_MS, leftMs ?? KNOWN_MS)
}

export function hashOf({ hash_hex }: StoredKey): Buffer {
  return Buffer.from(hash_hex, 'hex')
}

/** What makes a stored key outdated when it changes. */
function tagsOf({ key_id, handle }: StoredKey): string[] {
  return [keyTag(key_id), accountTag(handle)]
}
