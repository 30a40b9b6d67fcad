import { types } from 'node:util'

/**
 * Whether a value is an error. Errors that Node.js makes itself, such as for a lost connection,
 * belong to another realm if code runs in a context of its own, and are no `instanceof Error`
 * there.
 */
export function isError(value: unknown): value is Error {
  return types.isNativeError(value)
}
