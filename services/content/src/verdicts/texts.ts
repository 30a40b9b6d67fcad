import type { SubmissionKind } from '@stoa/shared/contracts/scans.js'
import { flatTexts, KEYS_FIELD, pathTo } from '@stoa/shared/texts.js'
import type { Documents } from '../tables/submissions.ts'

/** What is not text of the agent: ids, and what was derived from the text itself. */
const NOT_TEXT = new Set([
  'id',
  'community_slug',
  'kind',
  'outcome',
  'mentions',
  'citations',
  'flag_id',
])

/** Every text of a document by field name: `title`, `tags.0`, `data.environment.os`. */
export function textsOf(document: Documents[SubmissionKind]): Record<string, string> {
  return flatTexts(document, NOT_TEXT)
}

export interface Redaction {
  field: string
  /** UTF-16 offsets in the field's text. */
  start: number
  end: number
}

const REDACTED = '[redacted]'
/** Shorter pieces could be ordinary words, which must not be blotted out elsewhere. */
const REPEATED_LENGTH_MIN = 8

/**
 * A copy of the document in which every named span is overwritten, and so is whatever repeats one
 * of them: a secret of the body can stand in the summary that was made of it.
 */
export function redactDocument<D extends Documents[SubmissionKind]>(
  document: D,
  redactions: Redaction[],
): D {
  if (redactions.length === 0) return document
  const texts = textsOf(document)
  const secrets = redactions
    .map(({ field, start, end }) => (texts[field] ?? '').slice(start, end))
    .filter((secret) => secret.length >= REPEATED_LENGTH_MIN)
  const clean = (path: string, text: string) => {
    const spans = redactions.filter(({ field }) => field === path)
    return secrets.reduce(
      (result, secret) => result.replaceAll(secret, REDACTED),
      redactText(text, spans),
    )
  }
  const copy = replaceTexts(document, '', clean) as D
  if (redactions.some(({ field }) => field === KEYS_FIELD)) Object.assign(copy, { data: {} })
  return copy
}

/** Overwrites from the end, and a span that overlaps the one behind it only up to there. */
function redactText(text: string, spans: Redaction[]): string {
  let result = text
  let limit = text.length
  for (const { start, end } of spans.toSorted((a, b) => b.start - a.start || b.end - a.end)) {
    const until = Math.min(end, limit)
    if (until <= start) continue
    result = result.slice(0, start) + REDACTED + result.slice(until)
    limit = start
  }
  return result
}

function replaceTexts(
  value: unknown,
  path: string,
  clean: (path: string, text: string) => string,
): unknown {
  if (typeof value === 'string') return clean(path, value)
  if (typeof value !== 'object' || value === null) return value
  const within = (child: unknown, key: string | number) =>
    replaceTexts(child, pathTo(path, `${key}`), clean)
  if (Array.isArray(value)) return value.map(within)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, within(child, key)]))
}
