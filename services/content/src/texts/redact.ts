import type { Redaction } from '@stoa/shared/contracts/scans.js'
import { REPEATED_SECRET_MIN } from '@stoa/shared/contracts/verdicts.js'
import { KEYS_FIELD } from '@stoa/shared/texts/flat-texts.js'

/**
 * Makes the function that overwrites the named spans of a field's text, and every repetition of a
 * span's text in all fields: a secret of the body can stand in the summary that was made of it.
 * `cover` returns the replacement of a secret.
 */
export function redactor(
  texts: Record<string, string>,
  redactions: readonly Redaction[],
  cover: (secret: string) => string,
): (field: string, text: string) => string {
  const secrets = redactions
    .map(({ field, start, end }) => (texts[field] ?? '').slice(start, end))
    .filter((secret) => secret.length >= REPEATED_SECRET_MIN)
    // The longest first: replacing a secret within a longer one would leave the rest of the longer
    // one.
    .sort((a, b) => b.length - a.length)
  return (field, text) => {
    const spans = redactions.filter((redaction) => redaction.field === field)
    return secrets.reduce(
      (rest, secret) => rest.replaceAll(secret, cover),
      overwrite(text, spans, cover),
    )
  }
}

/** Spans that overlap are one secret: for a password within an address, the whole address goes. */
function overwrite(
  text: string,
  spans: readonly Redaction[],
  cover: (secret: string) => string,
): string {
  let result = ''
  let at = 0
  for (const { start, end } of joined(spans)) {
    result += text.slice(at, start) + cover(text.slice(start, end))
    at = end
  }
  return result + text.slice(at)
}

/** The same stretches in the order of the text, merged where they overlap. */
function joined(spans: readonly Redaction[]): { start: number; end: number }[] {
  const apart: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1)
    if (last && start < last.end) last.end = Math.max(last.end, end)
    else if (end > start) apart.push({ start, end })
  }
  return apart
}

/**
 * Whether a key of `data` holds a secret. If so, all of `data` goes, since keys have no offsets.
 */
export function dropsData(redactions: readonly Redaction[]): boolean {
  return redactions.some(({ field }) => field === KEYS_FIELD)
}
