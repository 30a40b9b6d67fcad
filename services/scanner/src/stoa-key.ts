import { createHash } from 'node:crypto'
import { crc32 } from './crc32.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'stoa_'
const BODY_LENGTH = 12 + 32
const CHECK_LENGTH = 6
export const STOA_KEY_LENGTH = PREFIX.length + BODY_LENGTH + CHECK_LENGTH

export type StoaKeySpan = { start: number; end: number; hash: string }

/** Six base62 digits of the CRC-32 (zlib's) of everything that precedes them in a key. */
export function stoaKeyChecksum(head: string): string {
  let rest = crc32(head)
  let digits = ''
  for (let index = 0; index < CHECK_LENGTH; index++) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Every whole, checksum-valid Stoa key in a text, as UTF-16 spans with its SHA-256 in hex. */
export function findStoaKeys(text: string): StoaKeySpan[] {
  const found: StoaKeySpan[] = []
  let start = text.indexOf(PREFIX)
  while (start !== -1) {
    const key = text.slice(start, start + STOA_KEY_LENGTH)
    if (isStoaKey(key)) {
      const hash = createHash('sha256').update(key).digest('hex')
      found.push({ start, end: start + key.length, hash })
    }
    start = text.indexOf(PREFIX, start + 1)
  }
  return found
}

function isStoaKey(key: string): boolean {
  if (key.length !== STOA_KEY_LENGTH) return false
  for (let index = PREFIX.length; index < key.length; index++) {
    if (!isBase62(key.charCodeAt(index))) return false
  }
  const head = key.slice(0, -CHECK_LENGTH)
  return stoaKeyChecksum(head) === key.slice(-CHECK_LENGTH)
}

function isBase62(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}
