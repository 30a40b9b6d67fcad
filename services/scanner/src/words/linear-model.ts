import { z } from 'zod'
import { shape, type Token } from './tokens.ts'

const CLASS_MARK = '!'
export const CLASS_VALUE = 0.25
export const CLASS_STEPS = [1, 2, 3, 5, 8]
const LENGTH_STEP_MAX = 8

/** Fitted and rounded weights of a logistic model over single words and pairs of words. */
export const ModelData = z.strictObject({
  category: z.enum(['injection', 'sexual']),
  version: z.string(),
  bias: z.number(),
  /** A score of this many logits counts as one half. */
  flag: z.number(),
  /** Classes of words that count like features of their own. */
  lexicon: z.record(z.string(), z.array(z.string())),
  weights: z.record(z.string(), z.number()),
})

export type ModelData = z.output<typeof ModelData>

/** Stands before the first word of a stretch. */
export const BEGINNING = '^'

/** The parts of a model that belong to no word; the weights of words are in the vocabulary. */
export type LinearModel = {
  category: ModelData['category']
  bias: number
  flag: number
  /** Weights of the lengths of a stretch, by `lengthStep`. */
  lengthWeights: readonly number[]
}

export function compileModel({ category, bias, flag, weights }: ModelData): LinearModel {
  const steps = Array.from({ length: LENGTH_STEP_MAX + 1 }, (_, step) => step)
  return { category, bias, flag, lengthWeights: steps.map((step) => weights[`#${step}`] ?? 0) }
}

/** Weights of a class of words: for each step of CLASS_STEPS, and for standing densely. */
export type ClassWeights = { steps: readonly number[]; dense: number }

export function classWeights({ weights }: ModelData, name: string): ClassWeights {
  return {
    steps: CLASS_STEPS.map((step) => weights[`${CLASS_MARK}${name}${step}`] ?? 0),
    dense: weights[`${CLASS_MARK}${name}~`] ?? 0,
  }
}

/** The classes of each word. By its class, a word counts even if no training text showed it. */
export type Lexicon = ReadonlyMap<string, readonly string[]>

export function compileLexicon(classes: Readonly<Record<string, readonly string[]>>): Lexicon {
  const lexicon = new Map<string, string[]>()
  for (const [name, words] of Object.entries(classes)) {
    for (const word of words) lexicon.set(word, [...(lexicon.get(word) ?? []), name])
  }
  return lexicon
}

/** The names of the features a run of words shows; a feature counts once. */
export function features(
  tokens: readonly Token[],
  start: number,
  end: number,
  lexicon: Lexicon,
): Set<string> {
  const found = new Set<string>()
  const classes = new Map<string, Set<string>>()
  let before = BEGINNING
  for (let index = start; index < end; index++) {
    const word = shape(tokens[index]?.word ?? '')
    found.add(word)
    found.add(`${before} ${word}`)
    for (const name of lexicon.get(word) ?? []) {
      const members = classes.get(name)
      if (members === undefined) classes.set(name, new Set([word]))
      else members.add(word)
    }
    before = word
  }
  found.add(lengthFeature(end - start))
  for (const name of classFeatures(classes, end - start)) found.add(name)
  return found
}

/** How many different words of each class were seen, in steps, and whether they stand densely. */
function classFeatures(
  classes: ReadonlyMap<string, ReadonlySet<string>>,
  length: number,
): string[] {
  const names: string[] = []
  for (const [name, members] of classes) {
    for (const step of CLASS_STEPS)
      if (members.size >= step) names.push(`${CLASS_MARK}${name}${step}`)
    if (isDense(members.size, length)) names.push(`${CLASS_MARK}${name}~`)
  }
  return names
}

/** Whether `members` different words of a class among `length` words stand densely. */
export function isDense(members: number, length: number): boolean {
  return members >= 2 && members * 12 > length
}

function lengthFeature(words: number): string {
  return `#${lengthStep(words)}`
}

export function lengthStep(words: number): number {
  return Math.min(LENGTH_STEP_MAX, Math.round(Math.log2(words + 1)))
}

/**
 * The value by which a feature's weight is multiplied. Words share 1/√n, so that a long text does
 * not outweigh a short one by its length alone; classes of words count the same everywhere.
 */
export function featureValue(name: string, size: number): number {
  return name.startsWith(CLASS_MARK) ? CLASS_VALUE : 1 / Math.sqrt(Math.max(1, size))
}
