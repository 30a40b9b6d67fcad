import type { FieldText } from '../reading/field.ts'
import { seamOf } from '../reading/seam.ts'
import type { CompiledRules } from '../rules/compile-rules.ts'
import type { Hit } from './hit.ts'
import { type Effort, matchRules } from './match-rules.ts'

/**
 * Hits of orders that begin in a title and end in the text below it, which readers see as one text.
 * They count at the beginning of that text.
 */
export function matchSeam(
  title: FieldText,
  body: FieldText,
  rules: CompiledRules,
  effort: Effort,
): Hit[] {
  const seam = seamOf(title, body)
  if (seam === null) return []
  const { field, at } = seam
  const across = matchRules(field, rules, effort, 'injection').filter(
    ({ start, end }) => start < at && end > at + 1,
  )
  if (across.length === 0) return []
  const isNew = NEW_SENTENCE.test(field.raw.slice(at))
  return across
    .filter(({ start }) => !(isNew && LAST_WORD.test(field.raw.slice(Math.max(0, start - 1), at))))
    .map(({ read: _, ...hit }) => ({ ...hit, field: body, start: 0, end: hit.end - at - 1 }))
}

const NEW_SENTENCE = /^\P{L}*\p{Lu}/u
/** The last word of a longer title, which may be complete: "What my agent should ignore". */
const LAST_WORD = /^\s\S+$/
