import { type FieldText, readField } from '../reading/field.ts'
import type { CompiledRules } from '../rules/compile-rules.ts'
import type { Hit } from './hit.ts'
import { matchRules, newEffort } from './match-rules.ts'

/** The longest text that is read together with others; a longer one is complete by itself. */
const SHORT = 200
/** The most text that is read together, because every post with data pays for this reading. */
const JOINED_LENGTH_MAX = 4_000
const LISTED = /^(?:data|tags)\./

/**
 * Hits of orders that are split over several short texts of a list, which readers see as one text.
 * They count at the text in which the first split hit begins.
 */
export function matchJoined(fields: readonly FieldText[], rules: CompiledRules): Hit[] {
  const parts = shortTexts(fields)
  if (parts.length < 2) return []
  const raw = parts.map(({ field }) => field.raw).join('\n')
  const joined = readField('data', raw, rules)
  const hits = matchRules(joined, rules, newEffort(raw.length), 'injection')
  const partOf = (at: number) => parts.findLast(({ start }) => start <= at) ?? parts[0]
  const across = hits.find(({ start, end }) => partOf(start) !== partOf(end - 1))
  if (across === undefined) return []
  const field = partOf(across.start)?.field as FieldText
  return hits.map(({ read: _, ...hit }) => ({ ...hit, field, start: 0, end: field.raw.length }))
}

/** The short texts, each with the offset at which it begins in the joined text. */
function shortTexts(fields: readonly FieldText[]): { field: FieldText; start: number }[] {
  const parts: { field: FieldText; start: number }[] = []
  let start = 0
  for (const field of fields) {
    if (!LISTED.test(field.name) || field.raw.length > SHORT) continue
    if (start + field.raw.length > JOINED_LENGTH_MAX) break
    parts.push({ field, start })
    start += field.raw.length + 1
  }
  return parts
}
