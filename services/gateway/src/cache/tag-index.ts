/** Which keys of a cache show what a tag names; as large as the cache whose `dispose` removes them. */
export class TagIndex {
  readonly #keysByTag = new Map<string, Set<string>>()

  add(tags: readonly string[], key: string): void {
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag)
      if (keys) keys.add(key)
      else this.#keysByTag.set(tag, new Set([key]))
    }
  }

  remove(tags: readonly string[], key: string): void {
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysByTag.delete(tag)
    }
  }

  /** The keys of what shows one of the tags: a copy, so that they may be dropped one by one. */
  keysOf(tags: readonly string[]): Set<string> {
    return new Set(tags.flatMap((tag) => [...(this.#keysByTag.get(tag) ?? [])]))
  }
}
