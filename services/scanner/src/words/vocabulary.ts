import {
  type ClassWeights,
  classWeights,
  compileLexicon,
  compileModel,
  type LinearModel,
  type ModelData,
} from './linear-model.ts'
import { PairWeights, type WeighedPair, WORD_NUMBERS_MAX } from './pair-weights.ts'
import { shape, type Token } from './tokens.ts'

/** A class of words, with the index of its model. */
type WordClass = ClassWeights & { model: number }

/**
 * Every word that is known or that a model uses, by one number, so that each word of a text is
 * looked up only once.
 */
export class Vocabulary {
  readonly models: readonly LinearModel[]
  /** The classes of all models, by the numbers in `classesOf`. */
  readonly classes: readonly WordClass[]
  readonly pairs: PairWeights
  private readonly numbers = new Map<string, number>()
  private readonly known: Uint8Array
  /** For each word its weight in each model. */
  private readonly weights: Float64Array
  private readonly classesOfWords: (readonly number[] | undefined)[] = []

  /** Throws for more than 65,535 words in all. */
  constructor(known: Iterable<string>, data: readonly ModelData[]) {
    const knownNumbers = Array.from(known, (word) => this.numberFor(word))
    this.models = data.map(compileModel)
    this.classes = this.readClasses(data)
    const { singles, pairs } = this.readWeights(data)
    const size = this.numbers.size + 1
    if (size > WORD_NUMBERS_MAX) throw new Error(`a vocabulary of ${size - 1} words is too large`)
    this.known = new Uint8Array(size)
    for (const number of knownNumbers) this.known[number] = 1
    this.weights = new Float64Array(size * data.length)
    for (const { at, weight } of singles) this.weights[at] = weight
    this.pairs = new PairWeights(pairs, data.length)
  }

  /** The number of a word, from 1 on; 0 for an unknown word. */
  numberOf(word: string): number {
    return this.numbers.get(word) ?? 0
  }

  /** The number of each form of a text, indexed by the form. */
  numbersOf(tokens: readonly Token[]): number[] {
    const numbers: number[] = []
    // Forms are numbered in the order in which they are met.
    for (const { word, form } of tokens) {
      if (form === numbers.length) numbers.push(this.numberOf(shape(word)))
    }
    return numbers
  }

  isKnown(number: number): boolean {
    return this.known[number] === 1
  }

  /** Adds the word's weight in each model to the sum of that model. */
  addTo(sums: Float64Array, number: number): void {
    const count = this.models.length
    for (let model = 0; model < count; model++) {
      sums[model] = (sums[model] ?? 0) + (this.weights[number * count + model] ?? 0)
    }
  }

  classesOf(number: number): readonly number[] | undefined {
    return this.classesOfWords[number]
  }

  private numberFor(word: string): number {
    const number = this.numbers.get(word) ?? this.numbers.size + 1
    this.numbers.set(word, number)
    return number
  }

  private readClasses(data: readonly ModelData[]): WordClass[] {
    const classes: WordClass[] = []
    data.forEach((of, model) => {
      const names = Object.keys(of.lexicon)
      for (const [word, among] of compileLexicon(of.lexicon)) {
        const number = this.numberFor(word)
        const own = [...new Set(among)].map((name) => classes.length + names.indexOf(name))
        this.classesOfWords[number] = [...(this.classesOfWords[number] ?? []), ...own]
      }
      classes.push(...names.map((name) => ({ ...classWeights(of, name), model })))
    })
    return classes
  }

  private readWeights(data: readonly ModelData[]) {
    const singles: { at: number; weight: number }[] = []
    const pairs = new Map<string, WeighedPair & { weights: number[] }>()
    data.forEach(({ weights }, model) => {
      for (const [name, weight] of Object.entries(weights)) {
        const [first = '', second] = name.split(' ')
        const number = this.numberFor(first)
        if (second === undefined) {
          singles.push({ at: number * data.length + model, weight })
          continue
        }
        const pair = pairs.get(name) ?? {
          first: number,
          second: this.numberFor(second),
          weights: data.map(() => 0),
        }
        pair.weights[model] = weight
        pairs.set(name, pair)
      }
    })
    return { singles, pairs: [...pairs.values()] }
  }
}
