import {
  BEGINNING,
  CLASS_STEPS,
  CLASS_VALUE,
  type LinearModel,
  lengthStep,
  type WordForm,
} from './linear-model.ts'
import { shape, type Token } from './tokens.ts'

/** Stands for every word a model has nothing to say about. */
const UNKNOWN: WordForm = { number: 0, weight: 0, classes: [] }

/**
 * Scores stretches of one text by one model. Gives exactly `logit(model, features(…))`, without
 * making a string for every pair of words: pairs are looked up by numbers, and what a stretch has
 * shown already is remembered by the number of its round.
 */
export class StretchScorer {
  private readonly model: LinearModel
  private readonly tokens: readonly Token[]
  private readonly forms: (WordForm | undefined)[] = []
  private readonly wordRounds: Uint32Array
  private readonly members: Uint16Array
  private pairKeys = new Uint32Array(0)
  private pairRounds = new Uint32Array(0)
  private round = 0

  constructor(model: LinearModel, tokens: readonly Token[]) {
    this.model = model
    this.tokens = tokens
    this.wordRounds = new Uint32Array(tokens.length)
    this.members = new Uint16Array(model.classWeights.length)
  }

  logit(start: number, end: number): number {
    const { model, wordRounds, members } = this
    this.beginRound(end - start)
    const classes: number[] = []
    let words = 0
    let pairs = 0
    let sum = 0
    let before = model.forms.get(BEGINNING)?.number ?? 0
    let beforeForm = -1
    for (let index = start; index < end; index++) {
      const token = this.tokens[index]
      if (token === undefined) break
      const form = this.formOf(token)
      if (wordRounds[token.form] !== this.round) {
        wordRounds[token.form] = this.round
        words++
        sum += form.weight
        for (const number of form.classes) {
          if (members[number] === 0) classes.push(number)
          members[number] = (members[number] ?? 0) + 1
        }
      }
      if (this.isNewPair((beforeForm + 1) * 65536 + token.form)) {
        pairs++
        if (before > 0 && form.number > 0) sum += model.pairs.of(before, form.number)
      }
      before = form.number
      beforeForm = token.form
    }
    sum += model.lengthWeights[lengthStep(end - start)] ?? 0
    const shown = this.weighClasses(classes, end - start)
    const size = words + pairs + 1 + shown.count
    return model.bias + shown.sum * CLASS_VALUE + sum / Math.sqrt(size)
  }

  /** Weight and number of the class features, as `classFeatures` names them. */
  private weighClasses(classes: readonly number[], length: number) {
    const { model, members } = this
    let count = 0
    let sum = 0
    for (const number of classes) {
      const size = members[number] ?? 0
      const weights = model.classWeights[number]
      CLASS_STEPS.forEach((step, index) => {
        if (size < step) return
        count++
        sum += weights?.steps[index] ?? 0
      })
      if (size < 2 || size * 12 <= length) continue
      count++
      sum += weights?.dense ?? 0
    }
    return { count, sum }
  }

  private beginRound(length: number): void {
    this.round++
    this.members.fill(0)
    if (this.pairKeys.length >= length * 2) return
    const size = 2 ** Math.ceil(Math.log2(length * 3 + 1))
    this.pairKeys = new Uint32Array(size)
    this.pairRounds = new Uint32Array(size)
  }

  /** Open addressing with linear probing, at most half full. */
  private isNewPair(key: number): boolean {
    const { pairKeys, pairRounds, round } = this
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

  private formOf(token: Token): WordForm {
    let form = this.forms[token.form]
    if (form === undefined) {
      form = this.model.forms.get(shape(token.word)) ?? UNKNOWN
      this.forms[token.form] = form
    }
    return form
  }
}
