import { isAlphanumeric, SPACE } from '../ascii.ts'

/**
 * Bytes as UTF-8 or UTF-16 text; null if much is unprintable or few are letters. Digits count as
 * letters, because text encoded twice is hardly anything else in between, and so does all beyond
 * ASCII, which may pass for letters.
 */
export function readable(bytes: Buffer): string | null {
  const text = spelled(bytes)
  let odd = 0
  let plain = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13)) odd++
    else if (isAlphanumeric(code) || code === SPACE || code > 127) plain++
  }
  return odd <= text.length / 20 && plain >= text.length * 0.3 ? text : null
}

/** Reads UTF-8, or UTF-16, where after any byte order mark every other byte of letters is zero. */
function spelled(bytes: Buffer): string {
  const isWide = (first: number) => [0, 2, 4].every((more) => bytes[first + more] === 0)
  if (bytes.length < 12) return bytes.toString()
  if (isWide(3)) return bytes.toString('utf16le')
  if (!isWide(2)) return bytes.toString()
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}
