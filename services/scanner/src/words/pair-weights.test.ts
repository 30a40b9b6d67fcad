import { expect, it } from '@jest/globals'
import { PairWeights, WORD_NUMBERS_MAX } from './pair-weights.ts'

it('gives each pair its weight, and 0 to every other', () => {
  const numbers = [1, 2, 3, 500, WORD_NUMBERS_MAX - 1]
  const all = numbers.flatMap((first) => numbers.map((second) => ({ first, second })))
  const kept = all.filter((_, i) => i % 2 === 0).map((pair, i) => ({ ...pair, weight: i - 4.5 }))

  const weights = new PairWeights(kept)

  for (const pair of all) {
    const expected = kept.find((one) => one.first === pair.first && one.second === pair.second)
    expect(weights.of(pair.first, pair.second)).toBe(expected?.weight ?? 0)
  }
})

it('holds none', () => {
  expect(new PairWeights([]).of(1, 1)).toBe(0)
})
