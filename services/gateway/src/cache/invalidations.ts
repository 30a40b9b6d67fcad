/**
 * Remembers the order in which tags were invalidated, so that an answer asked for before an
 * invalidation can be told from one asked for afterwards. Bounded: a forgotten tag counts as
 * invalidated.
 *
 * Tags are forgotten by generations. Keeping them in order of use would mean deleting and adding
 * them again, and a Map walks over every earlier place of a key until it is rebuilt.
 */
export class Invalidations {
  readonly #generationMax: number
  #recent = new Map<string, number>()
  #older = new Map<string, number>()
  /** The moment at which the older generation got its last tag. */
  #turnedAt = 0
  #now = 0
  #floor = 0

  constructor(tagsMax = 20_000) {
    this.#generationMax = Math.ceil(tagsMax / 2)
  }

  /** The moment to remember before asking for an answer. */
  get now(): number {
    return this.#now
  }

  /** Records the tags as invalidated, at `moment` if that was earlier, and returns the moment. */
  record(tags: readonly string[], moment = this.#now + 1): number {
    this.#now = Math.max(this.#now, moment)
    for (const tag of tags) {
      this.#recent.set(tag, Math.max(this.#recent.get(tag) ?? 0, moment))
    }
    if (this.#recent.size > this.#generationMax) this.#turn()
    return moment
  }

  /** Everything asked for before now counts as invalidated. */
  recordAll(moment = this.#now + 1): number {
    this.#now = Math.max(this.#now, moment)
    this.#turn()
    this.#turn()
    return moment
  }

  /** Whether one of the tags may have been invalidated after the moment given. */
  hasSince(tags: readonly string[], moment: number): boolean {
    if (moment < this.#floor) return true
    const isLater = (last: number | undefined) => last !== undefined && last > moment
    return tags.some((tag) => isLater(this.#recent.get(tag)) || isLater(this.#older.get(tag)))
  }

  /** Forgets the older generation. */
  #turn(): void {
    this.#floor = this.#turnedAt
    this.#turnedAt = this.#now
    this.#older = this.#recent
    this.#recent = new Map()
  }
}
