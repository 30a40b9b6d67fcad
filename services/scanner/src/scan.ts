import { KEYS_FIELD } from '@stoa/shared/texts/flat-texts.js'
import { refusal, TOO_COSTLY, TOO_LARGE, withReview } from './deciding/refusal.ts'
import { decide } from './deciding/score.ts'
import type { Hit } from './matching/hit.ts'
import { matchJoined } from './matching/match-joined.ts'
import { matchRules, newEffort } from './matching/match-rules.ts'
import { matchSeam } from './matching/match-seam.ts'
import { matchStoaKeys } from './matching/stoa-key.ts'
import { measureField } from './measures/measures.ts'
import { type FieldText, newReadingEffort, readField } from './reading/field.ts'
import type { CompiledRules } from './rules/compile-rules.ts'
import type { ItemTexts, ScanResult } from './types.ts'

export const INPUT_LENGTH_MAX = 256 * 1024

const READ_IN_ORDER = ['title', 'summary', 'body_md', 'description']

/**
 * Judges one item: pure and synchronous, linear in its text. Never throws for any text. An item of
 * more than 256 KiB of text (UTF-8) is not read but quarantined for review.
 */
export function scan(texts: ItemTexts, rules: CompiledRules): ScanResult {
  const names = Object.keys(texts)
  const size = names.reduce((sum, name) => sum + Buffer.byteLength(texts[name] ?? ''), 0)
  if (size > INPUT_LENGTH_MAX) return refusal(rules.version, TOO_LARGE, names[0] ?? '')
  const { hits, keyHashes, unread } = findHits(texts, rules)
  const result = decide(hits, unread, rules, texts[KEYS_FIELD] ?? '')
  result.key_hashes = [...keyHashes]
  if (unread.length === 0) return result
  return withReview(result, refusal(rules.version, TOO_COSTLY, names[0] ?? ''))
}

/** Every hit in an item before weighing, the hashes of its Stoa keys, and its unread fields. */
export function findHits(texts: ItemTexts, rules: CompiledRules) {
  const hits: Hit[] = []
  const keyHashes = new Set<string>()
  const length = Object.values(texts).reduce((sum, text) => sum + text.length, 0)
  const effort = newEffort(length)
  const reading = newReadingEffort(length)
  const unread: FieldText[] = []
  const fields = Object.entries(texts)
    .filter(([, raw]) => raw.length > 0)
    .map(([name, raw]) => readField(name, raw, rules, reading))
  // Seams come before the fields, so that they do not depend on the effort that the fields leave.
  for (const [above, below] of meetings(fields))
    hits.push(...matchSeam(above, below, rules, effort))
  hits.push(...matchJoined(fields, rules))
  for (const field of fields) {
    hits.push(...matchStoaKeys(field, keyHashes))
    hits.push(...matchRules(field, rules, effort), ...measureField(field, rules))
    if (effort.spent || !field.isWhole) unread.push(field)
  }
  return { hits, keyHashes, unread }
}

/** Pairs of fields that readers see one below the other; lists of posts leave summaries out. */
function meetings(fields: readonly FieldText[]): [FieldText, FieldText][] {
  const shown = READ_IN_ORDER.flatMap((name) => fields.filter((field) => field.name === name))
  return shown.flatMap((above, index) =>
    shown.slice(index + 1).map((below): [FieldText, FieldText] => [above, below]),
  )
}
