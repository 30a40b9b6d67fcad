import { featureValue } from '../words/linear-model.ts'

/** One stretch of text: the features that are kept, how many it had, what it is, how much it counts. */
export type Sample = { names: readonly string[]; size: number; positive: boolean; weight: number }

export type Fit = { bias: number; weights: Map<string, number> }

export type FitOptions = { epochs: number; rate: number; decay: number; seed: number }

/**
 * Logistic regression with L2 decay, fitted by AdaGrad over shuffled samples. A sample's features
 * share the value 1/√n, as in `logit`. Deterministic for a seed.
 */
export function fitLogistic(samples: readonly Sample[], options: FitOptions): Fit {
  const index = new Map<string, number>()
  for (const { names } of samples)
    for (const name of names) if (!index.has(name)) index.set(name, index.size)
  const rows = samples.map(({ names }) => Int32Array.from(names, (name) => index.get(name) ?? 0))
  const values = samples.map(({ names, size }) =>
    Float64Array.from(names, (name) => featureValue(name, size)),
  )
  const weights = new Float64Array(index.size)
  const squares = new Float64Array(index.size).fill(1e-3)
  let bias = 0
  let biasSquares = 1e-3
  const random = mulberry32(options.seed)
  const order = samples.map((_, position) => position)
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random)
    for (const position of order) {
      const row = rows[position]
      const sample = samples[position]
      if (row === undefined || sample === undefined) continue
      const value = values[position] ?? new Float64Array(0)
      let sum = 0
      for (let at = 0; at < row.length; at++) sum += (weights[row[at] ?? 0] ?? 0) * (value[at] ?? 0)
      const chance = 1 / (1 + Math.exp(-(bias + sum)))
      const slope = (chance - (sample.positive ? 1 : 0)) * sample.weight
      biasSquares += slope * slope
      bias -= (options.rate * slope) / Math.sqrt(biasSquares)
      for (let at = 0; at < row.length; at++) {
        const feature = row[at] ?? 0
        const weight = weights[feature] ?? 0
        const step = slope * (value[at] ?? 0) + options.decay * weight
        const square = (squares[feature] ?? 0) + step * step
        squares[feature] = square
        weights[feature] = weight - (options.rate * step) / Math.sqrt(square)
      }
    }
  }
  const named = new Map<string, number>()
  for (const [name, feature] of index) named.set(name, weights[feature] ?? 0)
  return { bias, weights: named }
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
