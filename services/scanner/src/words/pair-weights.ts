/** What numbers of words have to stay below for a pair of them to be one 32-bit key. */
export const WORD_NUMBERS_MAX = 65_536

/**
 * Weights of pairs of words by the words' numbers, which begin at 1. Open addressing with linear
 * probing, at most half full: a text asks for thousands, and hardly any is there.
 */
export class PairWeights {
  private readonly keys: Uint32Array
  private readonly weights: Float64Array
  private readonly mask: number

  constructor(pairs: readonly { first: number; second: number; weight: number }[]) {
    const size = 2 ** Math.ceil(Math.log2(pairs.length * 2 + 1))
    this.keys = new Uint32Array(size)
    this.weights = new Float64Array(size)
    this.mask = size - 1
    for (const { first, second, weight } of pairs) {
      const slot = this.slotOf(keyOf(first, second))
      this.keys[slot] = keyOf(first, second)
      this.weights[slot] = weight
    }
  }

  /** 0 for a pair that is not there. */
  of(first: number, second: number): number {
    const slot = this.slotOf(keyOf(first, second))
    // Nearly always empty: its weight would be one more wait for memory.
    return this.keys[slot] === 0 ? 0 : (this.weights[slot] ?? 0)
  }

  /** Where the key is, or the empty slot where it would be. */
  private slotOf(key: number): number {
    const { keys, mask } = this
    let slot = (Math.imul(key, 0x9e3779b1) >>> 12) & mask
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask
    return slot
  }
}

function keyOf(first: number, second: number): number {
  return first * WORD_NUMBERS_MAX + second
}
