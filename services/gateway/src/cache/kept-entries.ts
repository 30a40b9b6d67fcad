import { LRUCache } from 'lru-cache'
import type { Kept } from './flight.ts'

const ENTRIES_MAX = 50_000

/** Entries by key, the least used of which go where there are too many bytes, and by tag. */
export class KeptEntries {
  readonly #entries: LRUCache<string, Kept>
  readonly #keysByTag = new Map<string, Set<string>>()

  constructor(bytesMax: number) {
    this.#entries = new LRUCache<string, Kept>({
      max: ENTRIES_MAX,
      maxSize: bytesMax,
      sizeCalculation: ({ entry }) => entry.bytesMax,
      dispose: (kept, key) => this.#untag(kept, key),
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
    return new Set(tags.flatMap((tag) => [...(this.#keysByTag.get(tag) ?? [])]))
  }

  /** Keeps an entry, unless what is there was asked for later, or it alone is too large. */
  keep(key: string, kept: Kept): void {
    const older = this.#entries.peek(key)
    if (older && older.startedAt > kept.startedAt) return
    if (older) kept.entry.inherit(older.entry)
    this.#entries.set(key, kept)
    if (!this.#entries.has(key)) return
    for (const tag of kept.entry.tags) {
      const keys = this.#keysByTag.get(tag)
      if (keys) keys.add(key)
      else this.#keysByTag.set(tag, new Set([key]))
    }
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

  #untag({ entry }: Kept, key: string): void {
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysByTag.delete(tag)
    }
  }
}
