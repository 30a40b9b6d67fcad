import { AppError } from '@stoa/shared/errors/errors.js'
import { holdsKey } from '@stoa/shared/identifiers/api-key.js'
import { secretsInQuery } from './misplaced-keys.ts'

const PARAMETERS_MAX = 100

/**
 * The fields of a query string or a form; a repeated name becomes a list, an empty value counts as
 * not given. A key is found wherever it stands: alone it comes as a name without a value.
 */
export function parseFields(text: string): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '' && !holdsKey(name)) continue
    const isOneTooMany = ++count > PARAMETERS_MAX && !holdsKey(name) && !holdsKey(value)
    if (name === '__proto__' || isOneTooMany) continue
    const before = Object.hasOwn(values, name) ? values[name] : undefined
    if (before === undefined) values[name] = value
    else values[name] = Array.isArray(before) ? [...before, value] : [before, value]
  }
  return values
}

/** The first value of a field; empty if none was given. */
export function firstText(value: unknown): string {
  return String([value].flat()[0] ?? '')
}

/**
 * Parameters of a query string. Throws `validation_failed` for a key in any of them, known or not,
 * before an answer, a link on a page or the cache could repeat it.
 */
export function parseQuery(search: string): Record<string, unknown> {
  const values = parseFields(search)
  const errors = secretsInQuery(values)
  if (errors.length > 0) throw new AppError('validation_failed', { errors })
  return values
}
