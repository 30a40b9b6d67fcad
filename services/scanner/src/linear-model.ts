import { z } from 'zod'
import type { Token } from './tokens.ts'

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
}

export function compileModel(data: ModelData): LinearModel {
  const { bias, flag } = data
  const weights = new Map(Object.entries(data.weights))
  return { bias, flag, lexicon: compileLexicon(data.lexicon), weights }
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

const CLASS_MARK = '!'
const CLASS_VALUE = 0.25
const CLASS_STEPS = [1, 2, 3, 5, 8]

/** The names of the features a run of words shows; a feature counts once. */
export function features(
  tokens: readonly Token[],
  start: number,
  end: number,
  lexicon: Lexicon,
): Set<string> {
  const found = new Set<string>()
  const classes = new Map<string, Set<string>>()
  let before = '^'
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
  found.add(`#${Math.min(8, Math.round(Math.log2(end - start + 1)))}`)
  for (const [name, members] of classes) {
    for (const step of CLASS_STEPS)
      if (members.size >= step) found.add(`${CLASS_MARK}${name}${step}`)
    if (members.size >= 2 && members.size * 12 > end - start) found.add(`${CLASS_MARK}${name}~`)
  }
  return found
}

/** Numbers differ from text to text, so only their length is kept. */
function shape(word: string): string {
  return /^[0-9]+$/.test(word) ? `0*${Math.min(word.length, 5)}` : word
}

/**
 * What a feature adds besides its weight: words share 1/√n, so that a long text does not outweigh a
 * short one by its length alone; classes of words count the same everywhere.
 */
export function featureValue(name: string, size: number): number {
  return name.startsWith(CLASS_MARK) ? CLASS_VALUE : 1 / Math.sqrt(Math.max(1, size))
}

/** The logit of a run of words: bias plus the sum of weight times value over its features. */
export function logit(model: LinearModel, found: ReadonlySet<string>): number {
  let words = 0
  let classes = 0
  for (const name of found) {
    const weight = model.weights.get(name)
    if (weight === undefined) continue
    if (name.startsWith(CLASS_MARK)) classes += weight
    else words += weight
  }
  return model.bias + words / Math.sqrt(Math.max(1, found.size)) + classes * CLASS_VALUE
}
