import { z } from 'zod'
import type { Token } from './tokens.ts'

/** Weights of a logistic model over single words and pairs of words, as measured and rounded. */
export const ModelData = z.strictObject({
  category: z.enum(['injection', 'sexual']),
  version: z.string(),
  bias: z.number(),
  /** A score of this many logits counts as one half. */
  flag: z.number(),
  weights: z.record(z.string(), z.number()),
})

export type ModelData = z.output<typeof ModelData>

export type LinearModel = { bias: number; flag: number; weights: ReadonlyMap<string, number> }

export function compileModel(data: ModelData): LinearModel {
  return { bias: data.bias, flag: data.flag, weights: new Map(Object.entries(data.weights)) }
}

/** The names of the features a run of words shows; a feature counts once. */
export function features(tokens: readonly Token[], start: number, end: number): Set<string> {
  const found = new Set<string>()
  let before = '^'
  for (let index = start; index < end; index++) {
    const word = shape(tokens[index]?.word ?? '')
    found.add(word)
    found.add(`${before} ${word}`)
    before = word
  }
  found.add(`#${Math.min(8, Math.round(Math.log2(end - start + 1)))}`)
  return found
}

/** Numbers differ from text to text, so only their length is kept. */
function shape(word: string): string {
  return /^[0-9]+$/.test(word) ? `0*${Math.min(word.length, 5)}` : word
}

/**
 * The logit of a run of words: the sum of the weights of its features over the root of their number,
 * plus the bias. The root keeps a long text from outweighing a short one by its length alone.
 */
export function logit(model: LinearModel, found: ReadonlySet<string>): number {
  let sum = 0
  for (const name of found) sum += model.weights.get(name) ?? 0
  return model.bias + sum / Math.sqrt(Math.max(1, found.size))
}
