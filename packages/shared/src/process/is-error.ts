import { types } from 'node:util'

/**
 * Whether a value is an error. Those that Node.js makes itself, as of a lost connection, are of another
 * realm where code runs in a context of its own, and no `instanceof Error` there.
 */
export function isError(value: unknown): value is Error {
  return types.isNativeError(value)
}
