/** Numbers of words must stay below this, so that a pair of them is one 32-bit key. */
export const WORD_NUMBERS_MAX = 65_536

/** A pair of words by their numbers, which begin at 1, with its weight in each model. */
export type WeighedPair = { first: number; second: number; weights: readonly number[] }

/**
 * Weights of pairs of words, by open addressing with linear probing, at most half full. A text asks
 * for thousands of pairs, and hardly any is there.
 */
export class PairWeights {
  private readonly models: number
  private readonly keys: Uint32Array
  private readonly weights: Float64Array
  private readonly mask: number

  constructor(pairs: readonly WeighedPair[], models: number) {
    const size = 2 ** Math.ceil(Math.log2(pairs.length * 2 + 1))
    this.models = models
    this.keys = new Uint32Array(size)
    this.weights = new Float64Array(size * models)
    this.mask = size - 1
    for (const { first, second, weights } of pairs) {
      const slot = this.slotOf(keyOf(first, second))
      this.keys[slot] = keyOf(first, second)
      this.weights.set(weights, slot * models)
    }
  }

  /** Adds the pair's weight in each model to the sum of that model. */
  addTo(sums: Float64Array, first: number, second: number): void {
    const slot = this.slotOf(keyOf(first, second))
    // The slot is nearly always empty; reading its weights would be one more wait for memory.
    if (this.keys[slot] === 0) return
    for (let model = 0; model < this.models; model++) {
      sums[model] = (sums[model] ?? 0) + (this.weights[slot * this.models + model] ?? 0)
    }
  }

  /** The slot of a key, or the empty slot where it would be. */
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
