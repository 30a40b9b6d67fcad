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

  /** Answers the moment, which may be given where it is recorded later than it was. */
  record(tags: readonly string[], moment = this.#now + 1): number {
    this.#now = Math.max(this.#now, moment)
    for (const tag of tags) {
      const last = Math.max(this.#last.get(tag) ?? 0, moment)
      this.#last.delete(tag)
      this.#last.set(tag, last)
    }
    for (const [tag, last] of this.#last) {
      if (this.#last.size <= this.#tagsMax) break
      this.#last.delete(tag)
      this.#floor = Math.max(this.#floor, last)
    }
    return moment
  }

  /** Everything asked for before now is of doubtful age. */
  recordAll(moment = this.#now + 1): number {
    this.#now = Math.max(this.#now, moment)
    this.#floor = this.#now
    this.#last.clear()
    return moment
  }

  /** Whether one of the tags may have been invalidated after the moment given. */
  hasSince(tags: readonly string[], moment: number): boolean {
    if (moment < this.#floor) return true
    return tags.some((tag) => (this.#last.get(tag) ?? 0) > moment)
  }
}
