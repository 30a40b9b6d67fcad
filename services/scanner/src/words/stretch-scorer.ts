import { BEGINNING, CLASS_STEPS, CLASS_VALUE, isDense, lengthStep } from './linear-model.ts'
import type { Token } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A text's words, and the number of each of their forms in the vocabulary. */
type NumberedWords = { tokens: readonly Token[]; numbers: readonly number[] }

/**
 * Scores stretches of texts by all models at once. Gives exactly the sum over `features(…)`,
 * without a string for every pair of words: pairs are looked up by numbers, and a word or pair that
 * the stretch has shown already is remembered by the number of its round, which is unique to a
 * stretch.
 */
export class StretchScorer {
  private readonly vocabulary: Vocabulary
  private readonly beginning: number
  private readonly members: Uint16Array
  private readonly sums: Float64Array
  private wordRounds = new Float64Array(0)
  private pairKeys = new Float64Array(0)
  private pairRounds = new Float64Array(0)
  private round = 0

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary
    this.beginning = vocabulary.numberOf(BEGINNING)
    this.members = new Uint16Array(vocabulary.classes.length)
    this.sums = new Float64Array(vocabulary.models.length)
  }

  /** The logit of a stretch in each model, in the order of the models. */
  logits({ tokens, numbers }: NumberedWords, start: number, end: number): number[] {
    const { vocabulary, members, sums } = this
    this.beginRound(numbers.length, end - start)
    const classes: number[] = []
    let words = 0
    let pairs = 0
    let before = this.beginning
    let beforeForm = -1
    for (let index = start; index < end; index++) {
      const form = tokens[index]?.form ?? 0
      const number = numbers[form] ?? 0
      if (this.wordRounds[form] !== this.round) {
        this.wordRounds[form] = this.round
        words++
        if (number > 0) vocabulary.addTo(sums, number)
        for (const one of vocabulary.classesOf(number) ?? []) {
          if (members[one] === 0) classes.push(one)
          members[one] = (members[one] ?? 0) + 1
        }
      }
      if (this.isNewPair(beforeForm, form)) {
        pairs++
        if (before > 0 && number > 0) vocabulary.pairs.addTo(sums, before, number)
      }
      before = number
      beforeForm = form
    }
    return this.weigh(classes, words + pairs + 1, end - start)
  }

  /** Adds the class features, as `classFeatures` names them, and gives the logit in each model. */
  private weigh(found: readonly number[], size: number, length: number) {
    const { vocabulary, members, sums } = this
    return vocabulary.models.map(({ bias, lengthWeights }, model) => {
      let count = 0
      let classSum = 0
      for (const number of found) {
        const of = vocabulary.classes[number]
        if (of?.model !== model) continue
        const seen = members[number] ?? 0
        CLASS_STEPS.forEach((step, index) => {
          if (seen < step) return
          count++
          classSum += of.steps[index] ?? 0
        })
        if (!isDense(seen, length)) continue
        count++
        classSum += of.dense
      }
      const sum = (sums[model] ?? 0) + (lengthWeights[lengthStep(length)] ?? 0)
      return bias + classSum * CLASS_VALUE + sum / Math.sqrt(size + count)
    })
  }

  private beginRound(forms: number, length: number): void {
    this.round++
    this.members.fill(0)
    this.sums.fill(0)
    if (this.wordRounds.length < forms) this.wordRounds = new Float64Array(forms * 2)
    if (this.pairKeys.length >= length * 2) return
    const size = 2 ** Math.ceil(Math.log2(length * 3 + 1))
    this.pairKeys = new Float64Array(size)
    this.pairRounds = new Float64Array(size)
  }

  /** Whether the round has not shown this pair; open addressing as in PairWeights. */
  private isNewPair(beforeForm: number, form: number): boolean {
    const { pairKeys, pairRounds, round } = this
    const key = (beforeForm + 1) * 65536 + form
    const mask = pairKeys.length - 1
    let slot = (Math.imul(key, 0x9e3779b1) >>> 12) & mask
    while (pairRounds[slot] === round) {
      if (pairKeys[slot] === key) return false
      slot = (slot + 1) & mask
    }
    pairRounds[slot] = round
    pairKeys[slot] = key
    return true
  }
}
