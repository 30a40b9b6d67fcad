import { randomBytes } from 'node:crypto'
import { holdsKey } from '@stoa/shared/identifiers/api-key.js'

const SANE = /^[A-Za-z0-9][A-Za-z0-9_.-]{7,63}$/

/**
 * Random for each process, followed by a counter: unique without a random number for every request.
 */
const PROCESS = randomBytes(9).toString('hex')
let made = 0

/**
 * The caller's own id if it is a plain token, otherwise a fresh one; never an API key: logs hold
 * it.
 */
export function requestId(header: string | string[] | undefined): string {
  const isSane = typeof header === 'string' && SANE.test(header) && !holdsKey(header)
  return isSane ? header : `${PROCESS}-${made++}`
}
