import type { Hit } from '../matching/hit.ts'
import type { FieldText } from '../reading/field.ts'
import type { Redaction } from '../types.ts'

const EXCERPT_LENGTH_MAX = 120
const TAIL_LENGTH = 4
const SECRET = '[secret]'

/**
 * What a finding may show of the text: for a secret its kind of place and at most four last
 * characters, for anything else the matched words, cut and made harmless to a reader of alerts.
 */
export function excerptAround(hit: Hit, redactions: readonly Redaction[]): string {
  if (hit.secret !== undefined) {
    const tail = hit.secret.length >= 20 ? hit.secret.slice(-TAIL_LENGTH) : ''
    return `[${hit.rule.id} …${tail}]`
  }
  const end = Math.min(hit.end, hit.start + EXCERPT_LENGTH_MAX)
  return neutralise(withoutSecrets(hit.field, hit.start, end, redactions))
}

/** A stretch of a field, with one mark for each place of it that is to be overwritten. */
function withoutSecrets(
  field: FieldText,
  start: number,
  end: number,
  redactions: readonly Redaction[],
): string {
  let text = ''
  let at = start
  const spans = redactions.filter((span) => span.field === field.name && span.start < end)
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    if (span.end <= at) continue
    text += `${field.raw.slice(at, Math.max(at, span.start))}${SECRET}`
    at = span.end
  }
  return text + field.raw.slice(at, Math.max(at, end))
}

/** Controls, invisible characters and markup that a terminal, a page or a model might act on. */
function neutralise(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{C}|\p{Variation_Selector}/gu, ' ')
    .replace(/[`<>]/g, "'")
    .trim()
}
