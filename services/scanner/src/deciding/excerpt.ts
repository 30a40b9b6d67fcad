import { MARK_END, MARK_START } from '@stoa/shared/contracts/moderation.js'
import type { Redaction } from '@stoa/shared/contracts/scans.js'
import type { Hit } from '../matching/hit.ts'
import type { FieldText } from '../reading/field.ts'
import { originOf } from '../reading/layer.ts'

const EXCERPT_LENGTH_MAX = 120
const TAIL_LENGTH = 4
/** UTF-16 units of decoded text shown on either side of the matched words. */
const DECODED_CONTEXT = 60
const MARKS = new RegExp(`[${MARK_START}${MARK_END}]`, 'g')
const SECRET = '[secret]'

/**
 * The excerpt of a finding. For a secret: its rule and at most its last four characters. Otherwise:
 * the matched words, cut to length, without secrets and made harmless to a reader of alerts.
 */
export function excerptAround(hit: Hit, redactions: readonly Redaction[]): string {
  if (hit.secret !== undefined) {
    const tail = hit.secret.length >= 20 ? hit.secret.slice(-TAIL_LENGTH) : ''
    return `[${hit.rule.id} …${tail}]`
  }
  const end = Math.min(hit.end, hit.start + EXCERPT_LENGTH_MAX)
  return harmless(withoutSecrets(hit.field, hit.start, end, redactions)).trim()
}

/**
 * The matched words of a decoded text, marked, because a moderator cannot read them in the text as
 * written. Undefined for a secret, and if a redaction may overlap: text that is encoded as a whole
 * may hold the secret at any place.
 */
export function decodedAround(hit: Hit, redactions: readonly Redaction[]): string | undefined {
  if (hit.secret !== undefined || hit.chain.length === 0 || hit.read === undefined) return undefined
  const { layer, start } = hit.read
  const end = Math.min(hit.read.end, start + EXCERPT_LENGTH_MAX)
  const from = Math.max(0, start - DECODED_CONTEXT)
  const to = Math.min(layer.text.length, end + DECODED_CONTEXT)
  const [first, last] = originOf(layer, from, to)
  const isNear = (span: Redaction) =>
    span.field === hit.field.name && span.start < last && span.end > first
  if (redactions.some(isNear)) return undefined
  const part = (at: number, until: number) =>
    harmless(layer.text.slice(at, until).replace(MARKS, "'"))
  const before = `${from > 0 ? '…' : ''}${part(from, start)}`
  const found = `${part(start, end)}${end < hit.read.end ? '…' : ''}`
  const after = `${part(end, to)}${to < layer.text.length ? '…' : ''}`
  return `${before}${MARK_START}${found}${MARK_END}${after}`.trim()
}

/** A stretch of a field, with each redaction in it replaced by one `[secret]`. */
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

/** Halves of surrogate pairs, left where a text was cut through a character. */
const HALVES = /^[\udc00-\udfff]|[\ud800-\udbff]$/g

/** Replaces controls, invisible characters and markup that a terminal, page or model may act on. */
function harmless(text: string): string {
  return text
    .replace(HALVES, '')
    .toWellFormed()
    .replace(/\p{C}|\p{Variation_Selector}/gu, ' ')
    .replace(/[`<>]/g, "'")
}
