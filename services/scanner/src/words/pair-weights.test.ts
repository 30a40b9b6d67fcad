import { expect, it } from '@jest/globals'
import { PairWeights, WORD_NUMBERS_MAX } from './pair-weights.ts'

it('PairWeights adds the weights of a known pair, and nothing for any other pair', () => {
  const numbers = [1, 2, 3, 500, WORD_NUMBERS_MAX - 1]
  const all = numbers.flatMap((first) => numbers.map((second) => ({ first, second })))
  const kept = all
    .filter((_, i) => i % 2 === 0)
    .map((pair, i) => ({ ...pair, weights: [i - 4.5, 2 * i] }))

  const weights = new PairWeights(kept, 2)

  for (const pair of all) {
    const sums = new Float64Array([1, 2])
    weights.addTo(sums, pair.first, pair.second)

    const expected = kept.find((one) => one.first === pair.first && one.second === pair.second)
    const [first = 0, second = 0] = expected?.weights ?? []
    expect([...sums]).toEqual([1 + first, 2 + second])
  }
})

it('PairWeights may be empty', () => {
  const sums = new Float64Array([1])
  new PairWeights([], 1).addTo(sums, 1, 1)

  expect([...sums]).toEqual([1])
})
