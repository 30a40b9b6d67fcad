import { LRUCache } from 'lru-cache'
import type { Kept } from './flight.ts'
import { TagIndex } from './tag-index.ts'

const ENTRIES_MAX = 50_000

/** Entries by key, the least used of which go where there are too many bytes, and by tag. */
export class KeptEntries {
  readonly #entries: LRUCache<string, Kept>
  readonly #tags = new TagIndex()

  constructor(bytesMax: number) {
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

  /** The keys of what shows one of the tags. */
  keysOf(tags: readonly string[]): Set<string> {
    return this.#tags.keysOf(tags)
  }

  /** Keeps an entry, unless what is there was asked for later, or it alone is too large. */
  keep(key: string, kept: Kept): void {
    const older = this.#entries.peek(key)
    if (older && older.startedAt > kept.startedAt) return
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

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize }
  }
}
