import { featureValue } from '../words/linear-model.ts'
import type { Stretch, TrainingText } from './examples.ts'
import { type Fit, type FitOptions, fitLogistic, type Sample } from './logistic.ts'

const SEEN_IN_TEXTS_MIN = 3
const ROUNDS = 3
const OTHER_STRETCH_WEIGHT = 0.15

/**
 * Fits word weights when only whole texts are labelled: a positive text is known to have at least
 * one telling stretch, so each round trusts the stretch the last round found most telling.
 */
export function fitModel(texts: readonly TrainingText[], options: FitOptions): Fit {
  const common = commonNames(texts)
  const kept = texts.map((text) => ({
    ...text,
    stretches: text.stretches.map(({ names, size }) => ({
      names: names.filter((name) => common.has(name)),
      size,
    })),
  }))
  let fit: Fit | null = null
  for (let round = 0; round < ROUNDS; round++) {
    const samples: Sample[] = []
    for (const text of kept) {
      const best = fit === null ? -1 : tellingStretch(fit, text.stretches)
      text.stretches.forEach(({ names, size }, index) => {
        const trusted = best === -1 || index === best
        const weight = text.weight * (!text.positive || trusted ? 1 : OTHER_STRETCH_WEIGHT)
        samples.push({ names, size, positive: text.positive, weight })
      })
    }
    // Only the last fit is kept; those before choose which stretches to trust.
    fit = fitLogistic(samples, round < ROUNDS - 1 ? { ...options, fits: 1 } : options)
  }
  return fit ?? { bias: 0, weights: new Map() }
}

function stretchLogit(fit: Fit, { names, size }: Stretch): number {
  let sum = fit.bias
  for (const name of names) sum += (fit.weights.get(name) ?? 0) * featureValue(name, size)
  return sum
}

function tellingStretch(fit: Fit, stretches: readonly Stretch[]): number {
  let best = 0
  let highest = Number.NEGATIVE_INFINITY
  stretches.forEach((stretch, index) => {
    const score = stretchLogit(fit, stretch)
    if (score > highest) {
      highest = score
      best = index
    }
  })
  return best
}

function commonNames(texts: readonly TrainingText[]): Set<string> {
  const seen = new Map<string, number>()
  for (const { stretches } of texts) {
    const names = new Set(stretches.flatMap((stretch) => stretch.names))
    for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  return new Set([...seen].filter(([, count]) => count >= SEEN_IN_TEXTS_MIN).map(([name]) => name))
}
