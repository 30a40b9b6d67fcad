/**
 * The keys of a cache by the tags they show; as large as the cache, whose `dispose` removes keys.
 */
export class TagIndex {
  /** Most tags have a single key, which needs no set. */
  readonly #keysByTag = new Map<string, string | Set<string>>()

  add(tags: readonly string[], key: string): void {
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag)
      if (keys === undefined) this.#keysByTag.set(tag, key)
      else if (typeof keys !== 'string') keys.add(key)
      else if (keys !== key) this.#keysByTag.set(tag, new Set([keys, key]))
    }
  }

  remove(tags: readonly string[], key: string): void {
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag)
      if (keys === undefined) continue
      if (typeof keys !== 'string') keys.delete(key)
      if (keys === key || (typeof keys !== 'string' && keys.size === 0)) this.#keysByTag.delete(tag)
    }
  }

  /** The keys of entries that show one of the tags: a copy, so that entries may be dropped. */
  keysOf(tags: readonly string[]): Set<string> {
    const found = new Set<string>()
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag)
      if (typeof keys === 'string') found.add(keys)
      else if (keys !== undefined) for (const key of keys) found.add(key)
    }
    return found
  }
}
