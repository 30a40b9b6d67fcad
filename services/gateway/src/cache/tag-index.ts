/** Which keys of a cache show what a tag names; as large as the cache whose `dispose` removes them. */
export class TagIndex {
  /** Of most tags there is one key alone, which needs no set. */
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

  /** The keys of what shows one of the tags: a copy, so that they may be dropped one by one. */
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
