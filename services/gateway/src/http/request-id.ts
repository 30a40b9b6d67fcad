import { uuidV7 } from '@stoa/shared/ids.js'

const SANE = /^[A-Za-z0-9][A-Za-z0-9_.-]{7,63}$/

/** The caller's own id when it is a plain token, else a fresh one. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : uuidV7()
}
