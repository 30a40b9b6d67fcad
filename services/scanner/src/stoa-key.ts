import { KEY_LENGTH, KEY_PREFIX, parseKey } from '@stoa/shared/api-key.js'

export type StoaKeySpan = { start: number; end: number; hash: string }

/** Every whole, checksum-valid Stoa key in a text, as UTF-16 spans with its SHA-256 in hex. */
export function findStoaKeys(text: string): StoaKeySpan[] {
  const found: StoaKeySpan[] = []
  const prefix = `${KEY_PREFIX}_`
  let start = text.indexOf(prefix)
  while (start !== -1) {
    const end = start + KEY_LENGTH
    const key = parseKey(text.slice(start, end))
    if (key.ok) found.push({ start, end, hash: key.hash.toString('hex') })
    start = text.indexOf(prefix, start + 1)
  }
  return found
}
