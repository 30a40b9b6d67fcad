import type { Redaction } from '@stoa/shared/contracts/scans.js'
import { REDACTIONS_MAX, REPEATED_SECRET_MIN } from '@stoa/shared/contracts/verdicts.js'
import { KEYS_FIELD } from '@stoa/shared/texts/flat-texts.js'
import type { Hit } from '../matching/hit.ts'
import type { FieldText } from '../reading/field.ts'

/**
 * The stretches to overwrite so that none of these secrets stays readable, not even as one of the
 * keys of `data`, which are `keys`. A field that was not read to its end is overwritten whole,
 * because it may hold more secrets. If there are too many places to name, all affected fields are
 * overwritten whole.
 */
export function redactionsOf(
  secrets: readonly Hit[],
  unread: readonly FieldText[],
  keys: string,
): Redaction[] {
  if (secrets.length === 0) return []
  // A redaction of any key makes content drop all of `data`.
  const allData = { field: KEYS_FIELD, start: 0, end: keys.length }
  const isKey = secrets.some(({ field, start, end }) => {
    const secret = field.raw.slice(start, end)
    return secret.length >= REPEATED_SECRET_MIN && keys.includes(secret)
  })
  const places = placesOf(secrets, unread, allData)
  const isNamed = places.some(({ field }) => field === KEYS_FIELD)
  return isKey && !isNamed ? [...places, allData] : places
}

/** At most REDACTIONS_MAX - 1 places, because the caller may add one for all of `data`. */
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

/** Only `data` can have very many fields: if too many are affected, all of `data` goes. */
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
 * The name of a field as a finding may show it. A path into `data` consists of its keys, so it is
 * cut to `data` if a key holds a secret or if the keys were not read to their end.
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
