import { AppError, type FieldError } from '@stoa/shared/errors/errors.js'
import { holdsKey } from '@stoa/shared/identifiers/api-key.js'
import { QUERY_NAMES } from './meant-name.ts'

/** A key in an address was mostly pasted by mistake, and others than this forum see addresses. */
const IN_ADDRESS: Pick<FieldError, 'code' | 'message'> = {
  code: 'secret',
  message:
    'holds an API key, which belongs in the Authorization header alone: leave it out, and make another key, because logs keep addresses',
}

/**
 * An error for each parameter that holds a key or is named by one. Only names of ours are repeated.
 */
export function secretsInQuery(values: Record<string, unknown>): FieldError[] {
  return Object.entries(values)
    .filter(([name, value]) => [name, value].flat().some((text) => holdsKey(String(text))))
    .map(([name]) => ({ pointer: QUERY_NAMES.has(name) ? `?${name}` : '?', ...IN_ADDRESS }))
}

/** An error for each parameter of a path that holds a key; the names in a path are all ours. */
export function secretsInPath(path: Record<string, string>): FieldError[] {
  return Object.entries(path)
    .filter(([, value]) => holdsKey(value))
    .map(([name]) => ({ pointer: `{${name}}`, ...IN_ADDRESS }))
}

/** Throws `not_found` for a key in a path, because nothing can be there. */
export function requireNoSecret(path: Record<string, string>): void {
  const errors = secretsInPath(path)
  if (errors.length > 0) throw new AppError('not_found', { reason: 'form', errors })
}
