import { z } from 'zod'
import { PairWeights, WORD_NUMBERS_MAX } from './pair-weights.ts'
import { shape, type Token } from './tokens.ts'

const CLASS_MARK = '!'
export const CLASS_VALUE = 0.25
export const CLASS_STEPS = [1, 2, 3, 5, 8]
const LENGTH_STEP_MAX = 8

/** Weights of a logistic model over single words and pairs of words, as measured and rounded. */
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

export type LinearModel = {
  bias: number
  flag: number
  lexicon: Lexicon
  weights: ReadonlyMap<string, number>
  /** Weights of pairs of words, by the numbers of their forms. */
  pairs: PairWeights
  /** Every word the model knows anything of. */
  forms: ReadonlyMap<string, WordForm>
  /** Weights of the steps and of the density of each class, by its number in `WordForm.classes`. */
  classWeights: readonly { steps: readonly number[]; dense: number }[]
  /** Weights of the lengths of a stretch, by `lengthStep`. */
  lengthWeights: readonly number[]
}

export type WordForm = {
  /** From 1 on; 0 is no word of the model. */
  number: number
  weight: number
  classes: readonly number[]
}

/** Stands before the first word of a stretch. */
export const BEGINNING = '^'

export function compileModel(data: ModelData): LinearModel {
  const { bias, flag } = data
  const weights = new Map(Object.entries(data.weights))
  const pairs: { words: [string, string]; weight: number }[] = []
  for (const [name, weight] of weights) {
    const [first = '', second] = name.split(' ')
    if (second === undefined) continue
    pairs.push({ words: [first, second], weight })
    weights.delete(name)
  }
  const lexicon = compileLexicon(data.lexicon)
  const classNames = Object.keys(data.lexicon)
  const classWeights = classNames.map((name) => ({
    steps: CLASS_STEPS.map((step) => weights.get(`${CLASS_MARK}${name}${step}`) ?? 0),
    dense: weights.get(`${CLASS_MARK}${name}~`) ?? 0,
  }))
  const lengthWeights = Array.from(
    { length: LENGTH_STEP_MAX + 1 },
    (_, step) => weights.get(`#${step}`) ?? 0,
  )
  const words = new Set([...weights.keys(), ...lexicon.keys()])
  for (const pair of pairs) for (const word of pair.words) words.add(word)
  if (words.size >= WORD_NUMBERS_MAX) throw new Error(`a model of ${words.size} words is too large`)
  const forms = new Map<string, WordForm>()
  for (const word of words) {
    const classes = [...new Set(lexicon.get(word) ?? [])].map((name) => classNames.indexOf(name))
    forms.set(word, { number: forms.size + 1, weight: weights.get(word) ?? 0, classes })
  }
  const numberOf = (word: string) => forms.get(word)?.number ?? 0
  const numbered = pairs.map(({ words: [first, second], weight }) => {
    return { first: numberOf(first), second: numberOf(second), weight }
  })
  return {
    ...{ bias, flag, lexicon, weights, forms, classWeights, lengthWeights },
    pairs: new PairWeights(numbered),
  }
}

/** Named classes of words; a word of a class stands for its fellows that no training text showed. */
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
    if (members.size >= 2 && members.size * 12 > length) names.push(`${CLASS_MARK}${name}~`)
  }
  return names
}

function lengthFeature(words: number): string {
  return `#${lengthStep(words)}`
}

export function lengthStep(words: number): number {
  return Math.min(LENGTH_STEP_MAX, Math.round(Math.log2(words + 1)))
}

/**
 * What a feature adds besides its weight: words share 1/√n, so that a long text does not outweigh a
 * short one by its length alone; classes of words count the same everywhere.
 */
export function featureValue(name: string, size: number): number {
  return name.startsWith(CLASS_MARK) ? CLASS_VALUE : 1 / Math.sqrt(Math.max(1, size))
}

/** The logit of a set of features: bias plus the sum of weight times value. */
export function logit(model: LinearModel, found: ReadonlySet<string>): number {
  let sum = model.bias
  for (const name of found) {
    const [first = '', second] = name.split(' ')
    const weight = second === undefined ? model.weights.get(name) : pairWeight(model, first, second)
    sum += (weight ?? 0) * featureValue(name, found.size)
  }
  return sum
}

function pairWeight({ forms, pairs }: LinearModel, first: string, second: string): number {
  const [before, after] = [forms.get(first), forms.get(second)]
  return before && after ? pairs.of(before.number, after.number) : 0
}
