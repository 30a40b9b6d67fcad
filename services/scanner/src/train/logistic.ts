import { featureValue } from '../words/linear-model.ts'

/** One stretch of text: its kept features, how many it had in all, its label and its weight. */
export type Sample = { names: readonly string[]; size: number; positive: boolean; weight: number }

export type Fit = { bias: number; weights: Map<string, number> }

export type FitOptions = {
  epochs: number
  rate: number
  decay: number
  seed: number
  /** The share of features that a step leaves out of a sample, so that none is relied on alone. */
  drop: number
  /** How many fits are averaged, each with an order and omissions of its own. */
  fits: number
}

/**
 * Logistic regression with L2 decay and dropout, fitted by AdaGrad over shuffled samples, the mean
 * of several fits. Features have the values of `featureValue`. Deterministic for a seed.
 */
export function fitLogistic(samples: readonly Sample[], options: FitOptions): Fit {
  const index = new Map<string, number>()
  for (const { names } of samples)
    for (const name of names) if (!index.has(name)) index.set(name, index.size)
  const numbered = samples.map(({ names, size, positive, weight }) => ({
    features: Int32Array.from(names, (name) => index.get(name) ?? 0),
    values: Float64Array.from(names, (name) => featureValue(name, size)),
    positive,
    weight,
  }))
  const sums = new Float64Array(index.size)
  let biasSum = 0
  for (let fit = 0; fit < options.fits; fit++) {
    const { bias, weights } = fitOnce(numbered, index.size, options, options.seed + fit)
    biasSum += bias
    weights.forEach((weight, feature) => {
      sums[feature] = (sums[feature] ?? 0) + weight
    })
  }
  const named = new Map<string, number>()
  for (const [name, feature] of index) named.set(name, (sums[feature] ?? 0) / options.fits)
  return { bias: biasSum / options.fits, weights: named }
}

type Numbered = {
  features: Int32Array
  values: Float64Array
  positive: boolean
  weight: number
}

function fitOnce(samples: readonly Numbered[], size: number, options: FitOptions, seed: number) {
  const { rate, decay, drop } = options
  const weights = new Float64Array(size)
  const squares = new Float64Array(size).fill(1e-3)
  let bias = 0
  let biasSquares = 1e-3
  const random = mulberry32(seed)
  const order = samples.map((_, position) => position)
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random)
    for (const position of order) {
      const sample = samples[position]
      if (sample === undefined) continue
      const { features } = sample
      // Kept values make up for those left out, so that the sum stays that of scanning time.
      const values = sample.values.map((value) => (random() < drop ? 0 : value / (1 - drop)))
      let sum = 0
      for (let at = 0; at < features.length; at++)
        sum += (weights[features[at] ?? 0] ?? 0) * (values[at] ?? 0)
      const chance = 1 / (1 + Math.exp(-(bias + sum)))
      const slope = (chance - (sample.positive ? 1 : 0)) * sample.weight
      biasSquares += slope * slope
      bias -= (rate * slope) / Math.sqrt(biasSquares)
      for (let at = 0; at < features.length; at++) {
        const value = values[at] ?? 0
        if (value === 0) continue
        const feature = features[at] ?? 0
        const weight = weights[feature] ?? 0
        const step = slope * value + decay * weight
        const square = (squares[feature] ?? 0) + step * step
        squares[feature] = square
        weights[feature] = weight - (rate * step) / Math.sqrt(square)
      }
    }
  }
  return { bias, weights }
}

function shuffle(order: number[], random: () => number): void {
  for (let index = order.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const kept = order[index] ?? 0
    order[index] = order[other] ?? 0
    order[other] = kept
  }
}

/** A small seeded generator (Mulberry32), so that training repeats exactly. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
