import type { Hit } from './hit.ts'

const EXCERPT_LENGTH_MAX = 120
const TAIL_LENGTH = 4

/**
 * What a finding may show of the text: for a secret its kind of place and at most four last
 * characters, for anything else the matched words, cut and made harmless to a reader of alerts.
 */
export function excerptAround(hit: Hit): string {
  if (hit.secret !== undefined) {
    const tail = hit.secret.length >= 20 ? hit.secret.slice(-TAIL_LENGTH) : ''
    return `[${hit.rule.id} …${tail}]`
  }
  const text = hit.field.raw.slice(hit.start, Math.min(hit.end, hit.start + EXCERPT_LENGTH_MAX))
  return neutralise(text)
}

/** Controls, invisible characters and markup that a terminal, a page or a model might act on. */
function neutralise(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{C}|\p{Variation_Selector}/gu, ' ')
    .replace(/[`<>]/g, "'")
    .trim()
}
