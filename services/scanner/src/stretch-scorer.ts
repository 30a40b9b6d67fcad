import { CLASS_VALUE, classFeatures, type LinearModel, lengthFeature } from './linear-model.ts'
import { shape, type Token } from './tokens.ts'

/** What a model knows of one word form of a text. */
type Form = {
  weight: number
  pairs: ReadonlyMap<string, number> | undefined
  shape: string
  classes: readonly string[]
}

const NO_CLASSES: readonly string[] = []

/**
 * Scores stretches of one text by one model. Gives exactly `logit(model, features(…))`, without
 * making a string for every pair of words: pairs are looked up under their first word.
 */
export class StretchScorer {
  private readonly model: LinearModel
  private readonly tokens: readonly Token[]
  private readonly forms: Form[] = []

  constructor(model: LinearModel, tokens: readonly Token[]) {
    this.model = model
    this.tokens = tokens
  }

  logit(start: number, end: number): number {
    const { model } = this
    const words = new Set<string>()
    const pairs = new Set<number>()
    const classes = new Map<string, Set<string>>()
    let sum = 0
    let before: Form | null = null
    let beforeForm = -1
    for (let index = start; index < end; index++) {
      const token = this.tokens[index]
      if (token === undefined) break
      const form = this.formOf(token)
      if (!words.has(form.shape)) {
        words.add(form.shape)
        sum += form.weight
        for (const name of form.classes) addTo(classes, name, form.shape)
      }
      const key = (beforeForm + 1) * 65536 + token.form
      if (!pairs.has(key)) {
        pairs.add(key)
        const after = before === null ? model.pairs.get('^') : before.pairs
        sum += after?.get(form.shape) ?? 0
      }
      before = form
      beforeForm = token.form
    }
    sum += model.weights.get(lengthFeature(end - start)) ?? 0
    const shown = classFeatures(classes, end - start)
    const size = words.size + pairs.size + 1 + shown.length
    let classSum = 0
    for (const name of shown) classSum += model.weights.get(name) ?? 0
    return model.bias + classSum * CLASS_VALUE + sum / Math.sqrt(size)
  }

  private formOf(token: Token): Form {
    let form = this.forms[token.form]
    if (form === undefined) {
      const { model } = this
      const shaped = shape(token.word)
      form = {
        weight: model.weights.get(shaped) ?? 0,
        pairs: model.pairs.get(shaped),
        shape: shaped,
        classes: model.lexicon.get(shaped) ?? NO_CLASSES,
      }
      this.forms[token.form] = form
    }
    return form
  }
}

function addTo(classes: Map<string, Set<string>>, name: string, word: string): void {
  const members = classes.get(name)
  if (members === undefined) classes.set(name, new Set([word]))
  else members.add(word)
}
