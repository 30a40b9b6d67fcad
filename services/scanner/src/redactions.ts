import { KEYS_FIELD } from '@stoa/shared/texts.js'
import type { FieldText } from './field.ts'
import type { Hit } from './hit.ts'
import type { Redaction } from './types.ts'

/** As many as a verdict may carry. */
export const REDACTIONS_MAX = 200

/**
 * What is to be overwritten so that none of these secrets stays readable. Where places are too many
 * to name, or a text was not read to its end and may hold more of them, all of the text goes.
 */
export function redactionsOf(secrets: readonly Hit[], unread: readonly FieldText[]): Redaction[] {
  if (secrets.length === 0) return []
  const places = new Map<string, Redaction>()
  for (const { field, start, end } of secrets) {
    const place = unread.includes(field) ? wholeOf(field) : { field: field.name, start, end }
    places.set(`${place.field} ${place.start} ${place.end}`, place)
  }
  for (const field of unread) places.set(`${field.name} 0 ${field.raw.length}`, wholeOf(field))
  if (places.size <= REDACTIONS_MAX) return [...places.values()]
  return wholeFields([...secrets.map(({ field }) => field), ...unread])
}

/** Only `data` has fields without number: where too many of them are concerned, all of it goes. */
function wholeFields(concerned: readonly FieldText[]): Redaction[] {
  const fields = [...new Set(concerned)]
  if (fields.length <= REDACTIONS_MAX) return fields.map(wholeOf)
  const others = fields.filter(({ name }) => !name.startsWith('data.') && name !== KEYS_FIELD)
  return [...others.map(wholeOf), { field: KEYS_FIELD, start: 0, end: 0 }]
}

function wholeOf({ name, raw }: FieldText): Redaction {
  return { field: name, start: 0, end: raw.length }
}
