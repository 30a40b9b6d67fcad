import type { CorpusRow } from '../corpus.ts'
import { readField } from '../field.ts'
import { features, type Lexicon } from '../linear-model.ts'
import { segments } from '../measures/statistics.ts'
import type { CompiledRules } from '../rules.ts'

/** A text as the model will meet it: one set of feature names for each stretch. */
export type TrainingText = {
  row: CorpusRow
  positive: boolean
  weight: number
  stretches: Stretch[]
}

export type Stretch = { names: string[]; size: number }

/** Cuts texts into stretches by the very code that will cut them at scanning time. */
export function trainingTexts(
  rows: readonly CorpusRow[],
  isPositive: (row: CorpusRow) => boolean,
  rules: CompiledRules,
  lexicon: Lexicon,
  weightOf: (row: CorpusRow, positive: boolean) => number,
): TrainingText[] {
  return rows.map((row) => {
    const field = readField('body_md', row.text, rules)
    const layer = field.folded[0]
    const stretches =
      layer === undefined
        ? []
        : segments(field, layer).map(([from, to]) => {
            const names = [...features(layer.tokens, from, to, lexicon)]
            return { names, size: names.length }
          })
    const positive = isPositive(row)
    return { row, positive, weight: weightOf(row, positive), stretches }
  })
}
