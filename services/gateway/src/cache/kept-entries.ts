import { LRUCache } from 'lru-cache'
import { AskedBefore } from './asked-before.ts'
import type { Entry, Load } from './entry.ts'
import { TagIndex } from './tag-index.ts'

const ENTRIES_MAX = 50_000

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

/**
 * Entries by key and by tag; the least recently used go when there are too many bytes. If one would
 * have to go for a new entry, the new one is kept only if it was asked for lately: so a client that
 * walks through all posts pushes out nothing that is asked for again and again.
 */
export class KeptEntries {
  readonly #bytesMax: number
  readonly #entries: LRUCache<string, Kept>
  readonly #tags = new TagIndex()
  readonly #asked = new AskedBefore()

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#entries = new LRUCache<string, Kept>({
      max: ENTRIES_MAX,
      maxSize: bytesMax,
      sizeCalculation: ({ entry }) => entry.bytesMax,
      dispose: ({ entry }, key) => this.#tags.remove(entry.tags, key),
    })
  }

  /** The entry, which counts as used. */
  get(key: string): Kept | undefined {
    return this.#entries.get(key)
  }

  /** The entry, without counting as used. */
  peek(key: string): Kept | undefined {
    return this.#entries.peek(key)
  }

  /** The keys of the entries that show one of the tags. */
  keysOf(tags: readonly string[]): Set<string> {
    return this.#tags.keysOf(tags)
  }

  /**
   * Keeps an entry, unless the present one was asked for later, the new one alone is too large, or
   * it is asked for the first time and another entry would have to go for it.
   */
  keep(key: string, kept: Kept): void {
    const older = this.#entries.peek(key)
    if (older && older.startedAt > kept.startedAt) return
    if (!older && !this.#hasRoomFor(kept) && !this.#asked.note(key)) return
    if (older) kept.entry.inherit(older.entry)
    this.#entries.set(key, kept)
    if (this.#entries.has(key)) this.#tags.add(kept.entry.tags, key)
  }

  drop(key: string): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  #hasRoomFor({ entry }: Kept): boolean {
    const { size, calculatedSize } = this.#entries
    return size < ENTRIES_MAX && calculatedSize + entry.bytesMax <= this.#bytesMax
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize }
  }
}
