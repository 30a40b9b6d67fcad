import type { Redaction } from '@stoa/shared/contracts/scans.js'
import { REDACTIONS_MAX, REPEATED_SECRET_MIN } from '@stoa/shared/contracts/verdicts.js'
import { KEYS_FIELD } from '@stoa/shared/texts/flat-texts.js'
import type { Hit } from '../matching/hit.ts'
import type { FieldText } from '../reading/field.ts'

/**
 * What is to be overwritten so that none of these secrets stays readable, as a key of `data` neither:
 * `keys` are those. Where places are too many to name, or a text was not read to its end and may
 * hold more of them, all of the text goes.
 */
export function redactionsOf(
  secrets: readonly Hit[],
  unread: readonly FieldText[],
  keys: string,
): Redaction[] {
  if (secrets.length === 0) return []
  // Whatever of its keys is to be overwritten, all of `data` goes.
  const allData = { field: KEYS_FIELD, start: 0, end: keys.length }
  const isKey = secrets.some(({ field, start, end }) => {
    const secret = field.raw.slice(start, end)
    return secret.length >= REPEATED_SECRET_MIN && keys.includes(secret)
  })
  const places = placesOf(secrets, unread, allData)
  const isNamed = places.some(({ field }) => field === KEYS_FIELD)
  return isKey && !isNamed ? [...places, allData] : places
}

/** One fewer than there may be, since all of `data` may come to it. */
function placesOf(
  secrets: readonly Hit[],
  unread: readonly FieldText[],
  allData: Redaction,
): Redaction[] {
  const places = new Map<string, Redaction>()
  for (const { field, start, end } of secrets) {
    const place = unread.includes(field) ? wholeOf(field) : { field: field.name, start, end }
    places.set(`${place.field} ${place.start} ${place.end}`, place)
  }
  for (const field of unread) places.set(`${field.name} 0 ${field.raw.length}`, wholeOf(field))
  if (places.size < REDACTIONS_MAX) return [...places.values()]
  return wholeFields([...secrets.map(({ field }) => field), ...unread], allData)
}

/** Only `data` has fields without number: where too many of them are concerned, all of it goes. */
function wholeFields(concerned: readonly FieldText[], allData: Redaction): Redaction[] {
  const fields = [...new Set(concerned)]
  if (fields.length < REDACTIONS_MAX) return fields.map(wholeOf)
  const others = fields.filter(({ name }) => !name.startsWith('data.') && name !== KEYS_FIELD)
  return [...others.map(wholeOf), allData]
}

function wholeOf({ name, raw }: FieldText): Redaction {
  return { field: name, start: 0, end: raw.length }
}

/**
 * The name of a field for whoever reads a finding. A path into `data` is made of its keys, so none is
 * named where one of them holds a secret, or where they were not read to their end.
 */
export function nameToShow(
  name: string,
  redactions: readonly Redaction[],
  unread: readonly FieldText[],
): string {
  const hidesKeys =
    redactions.some(({ field }) => field === KEYS_FIELD) ||
    unread.some((field) => field.name === KEYS_FIELD)
  return hidesKeys ? withoutKeys(name) : name
}

export function withoutKeys(name: string): string {
  return name.startsWith('data.') ? 'data' : name
}
