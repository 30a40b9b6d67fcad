/**
 * Remembers in which order tags were invalidated, so that an answer that was asked for before can be
 * told from one asked for after. Bounded: what it had to forget counts as invalidated.
 */
export class Invalidations {
  readonly #tagsMax: number
  readonly #last = new Map<string, number>()
  #now = 0
  #floor = 0

  constructor(tagsMax = 20_000) {
    this.#tagsMax = tagsMax
  }

  /** The moment to remember before asking. */
  get now(): number {
    return this.#now
  }

  record(tags: readonly string[]): void {
    this.#now++
    for (const tag of tags) {
      this.#last.delete(tag)
      this.#last.set(tag, this.#now)
    }
    for (const [tag, moment] of this.#last) {
      if (this.#last.size <= this.#tagsMax) break
      this.#last.delete(tag)
      this.#floor = moment
    }
  }

  /** Everything asked for before now is of doubtful age. */
  recordAll(): void {
    this.#now++
    this.#floor = this.#now
    this.#last.clear()
  }

  /** Whether one of the tags may have been invalidated after the moment given. */
  hasSince(tags: readonly string[], moment: number): boolean {
    if (moment < this.#floor) return true
    return tags.some((tag) => (this.#last.get(tag) ?? 0) > moment)
  }
}
