const RECENT = 6

/** Numbers that a seed determines (mulberry32), and choices made with them. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 inclusive to 1 exclusive. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pickIfAny<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.next() * from.length)]
  }

  pick<T>(from: readonly T[]): T {
    const one = this.pickIfAny(from)
    if (one === undefined) throw new Error('there is nothing to pick from')
    return one
  }

  /** Half of the time picks one of the newest, so that acts meet on the same things. */
  pickRecent<T>(from: readonly T[]): T | undefined {
    return this.pickIfAny(this.chance(0.5) ? from.slice(-RECENT) : from)
  }

  some<T>(from: readonly T[], share: number): T[] {
    return from.filter(() => this.chance(share))
  }

  /**
   * A word that is in no other text, and too different from every other word to match it in a
   * search.
   */
  word(): string {
    const letters = Array.from(
      { length: 14 },
      () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(this.next() * 26)],
    )
    return letters.join('')
  }
}
