const TWO_32 = 2 ** 32

/** Sixteen bits as four digits; looking them up is several times as fast as converting them. */
const HEX = Array.from({ length: 65_536 }, (_, n) => n.toString(16).padStart(4, '0'))

/**
 * A seeded generator (sfc32, by Chris Doty-Humphrey). Everything in the corpus has its own
 * sequence, seeded by what it is, so that any item can be made again without the items before it.
 */
export class Random {
  #a = 0
  #b = 0
  #c = 0
  #d = 1

  /** @param {...number} keys whole numbers; equal keys give equal sequences */
  constructor(...keys) {
    this.seed(...keys)
  }

  /**
   * Starts another sequence: a new object for each of millions of sequences would cost more.
   *
   * @param {...number} keys
   */
  seed(...keys) {
    this.#a = 0x9e3779b9
    this.#b = 0x243f6a88
    this.#c = 0xb7e15162
    this.#d = 1
    for (const key of keys) {
      this.#a ^= key
      this.#b ^= Math.floor(key / TWO_32)
      for (let i = 0; i < 4; i++) this.uint32()
    }
    for (let i = 0; i < 4; i++) this.uint32()
    return this
  }

  /** 32 random bits. */
  uint32() {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0
    this.#d = (this.#d + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t
    return t >>> 0
  }

  /** From 0 inclusive to 1 exclusive. */
  float() {
    return this.uint32() / TWO_32
  }

  /** @param {number} max the result is a whole number from 0 to max - 1 */
  int(max) {
    return Math.floor(this.float() * max)
  }

  /**
   * @template T
   * @param {readonly T[]} items
   * @returns {T}
   */
  pick(items) {
    return /** @type {T} */ (items[this.int(items.length)])
  }

  /** @param {number} probability */
  chance(probability) {
    return this.float() < probability
  }

  /**
   * Rank 0 to max - 1 by Zipf's law with exponent 1: P(rank k) is close to 1 / (k + 1).
   *
   * @param {number} max
   */
  zipf(max) {
    return Math.min(max - 1, Math.floor((max + 1) ** this.float()) - 1)
  }

  /** A normal deviate (Box and Muller). */
  normal() {
    return Math.sqrt(-2 * Math.log(1 - this.float())) * Math.cos(2 * Math.PI * this.float())
  }

  /**
   * @param {number} median
   * @param {number} sigma of the logarithm
   */
  logNormal(median, sigma) {
    return median * Math.exp(sigma * this.normal())
  }

  /** Eight hex digits. */
  hex() {
    const bits = this.uint32()
    return /** @type {string} */ (HEX[bits >>> 16]) + HEX[bits & 0xffff]
  }
}
