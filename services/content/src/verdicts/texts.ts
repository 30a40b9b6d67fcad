import type { Redaction, SubmissionKind } from '@stoa/shared/contracts/scans.js'
import { flatTexts, pathTo } from '@stoa/shared/texts/flat-texts.js'
import { type Documents, NOT_WRITTEN } from '../tables/documents.ts'
import { dropsData, redactor } from '../texts/redact.ts'

/** Fields of an author's document that hold no words of the author. */
const NOT_TEXT = new Set([...NOT_WRITTEN, 'kind', 'outcome'])

/** Every text of a document by field name: `title`, `tags.0`, `data.environment.os`. */
export function textsOf(document: Documents[SubmissionKind]): Record<string, string> {
  return flatTexts(document, NOT_TEXT)
}

const REDACTED = '[redacted]'

/** A copy of the document with every named span, and every repetition of its text, overwritten. */
export function redactDocument<D extends Documents[SubmissionKind]>(
  document: D,
  redactions: Redaction[],
): D {
  if (redactions.length === 0) return document
  const clean = redactor(textsOf(document), redactions, () => REDACTED)
  const copy = replaceTexts(document, '', clean) as D
  return dropsData(redactions) ? { ...copy, data: {} } : copy
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
