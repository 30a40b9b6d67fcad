import { type FieldText, readField } from '../reading/field.ts'
import type { CompiledRules } from '../rules/compile-rules.ts'
import type { Hit } from './hit.ts'
import { matchRules, newEffort } from './match-rules.ts'

/** Longer ones say what they say by themselves. */
const SHORT = 200
/** No more of them are read together, since every post with data pays for it. */
const JOINED_LENGTH_MAX = 4_000
const LISTED = /^(?:data|tags)\./

/**
 * The orders that are cut over several short texts of a list, which readers have before them as one.
 * What they come to counts at the first of those texts.
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

/** Each with the place at which it begins when they are put together. */
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
