import type { CorpusRow } from '../evaluate/corpus.ts'
import { MARK } from '../markdown/markdown-marks.ts'
import { segments } from '../measures/statistics.ts'
import { type FieldText, readField } from '../reading/field.ts'
import type { CompiledRules } from '../rules/compile-rules.ts'
import { features, type Lexicon } from '../words/linear-model.ts'

/** A text as the model will meet it: one set of feature names for each stretch. */
export type TrainingText = {
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
    // A discussion quotes its attack; only the words around the quotation are known to be benign.
    const ownWordsOnly = row.corpus.startsWith('own_') && row.label === 'negative'
    const stretches =
      layer === undefined
        ? []
        : segments(field, layer)
            .filter(([from]) => !ownWordsOnly || !isFramed(field, layer.tokens[from]?.start ?? 0))
            .map(([from, to]) => {
              const names = [...features(layer.tokens, from, to, lexicon)]
              return { names, size: names.length }
            })
    const positive = isPositive(row)
    return { positive, weight: weightOf(row, positive), stretches }
  })
}

function isFramed(field: FieldText, offset: number): boolean {
  return ((field.marks[offset] ?? 0) & (MARK.code | MARK.quote | MARK.spoken | MARK.comment)) !== 0
}
