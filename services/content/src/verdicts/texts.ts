import type { SubmissionKind } from '@stoa/shared/contracts/scans.js'
import { flatTexts, KEYS_FIELD } from '@stoa/shared/texts.js'
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

/** A copy of the document in which every named span is overwritten. */
export function redactDocument<D extends Documents[SubmissionKind]>(
  document: D,
  redactions: Redaction[],
): D {
  if (redactions.length === 0) return document
  const texts = textsOf(document)
  const replaced = new Map<string, string>()
  for (const field of new Set(redactions.map((redaction) => redaction.field))) {
    const spans = redactions.filter((redaction) => redaction.field === field)
    replaced.set(field, redactText(texts[field] ?? '', spans))
  }
  const copy = replaceTexts(document, '', replaced) as D
  if (replaced.has(KEYS_FIELD)) Object.assign(copy, { data: {} })
  return copy
}

function redactText(text: string, spans: Redaction[]): string {
  let result = text
  for (const { start, end } of spans.toSorted((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + REDACTED + result.slice(end)
  }
  return result
}

function replaceTexts(value: unknown, path: string, replaced: Map<string, string>): unknown {
  if (typeof value === 'string') return replaced.get(path) ?? value
  if (typeof value !== 'object' || value === null) return value
  const at = (key: string) => (path === '' ? key : `${path}.${key}`)
  if (Array.isArray(value))
    return value.map((child, i) => replaceTexts(child, at(`${i}`), replaced))
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, replaceTexts(child, at(key), replaced)]),
  )
}
