import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Set in front of each key so that people and scanners can tell what it is. */
export const KEY_PREFIX = 'stoa'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const KEY_ID_LENGTH = 12
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const START_OF_KEY = new RegExp(`^${KEY_PREFIX}_([0-9A-Za-z]{${KEY_ID_LENGTH}})`)
const WHOLE_KEY = new RegExp(
  `${START_OF_KEY.source}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
)

export interface IssuedKey {
  /** The whole key, shown once. */
  key: string
  /** The public part, by which the stored hash is found: 12 base62 characters. */
  publicId: string
  /** SHA-256 of the whole key. */
  hash: Buffer
}

export type ParsedKey =
  | { ok: true; publicId: string; hash: Buffer }
  | { ok: false; reason: 'format' | 'checksum' }

/** Makes a key: `stoa_`, 12 base62 of id, 32 base62 of secret (190 bits), 6 base62 of CRC-32. */
export function issueKey(): IssuedKey {
  const publicId = randomBase62(KEY_ID_LENGTH)
  const body = `${KEY_PREFIX}_${publicId}${randomBase62(SECRET_LENGTH)}`
  const key = body + checksum(body)
  return { key, publicId, hash: hashKey(key) }
}

/** Tells a whole key from a truncated or mistyped one without asking anybody. */
export function parseKey(text: string): ParsedKey {
  const match = WHOLE_KEY.exec(text)
  if (!match) return { ok: false, reason: 'format' }
  const body = text.slice(0, -CHECKSUM_LENGTH)
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return { ok: false, reason: 'checksum' }
  return { ok: true, publicId: match[1] as string, hash: hashKey(text) }
}

/**
 * The public part at the start of a key, or of what is shown of a key; undefined if there is none.
 */
export function publicIdIn(text: string): string | undefined {
  return START_OF_KEY.exec(text)?.[1]
}

/** The id and the secret of a key. The checksum follows from them, so it may be incomplete. */
const BODY = `[0-9A-Za-z]{${KEY_ID_LENGTH + SECRET_LENGTH}}`
/** A hexadecimal digest, which may be as long, has only small letters or only capitals. */
const IS_MIXED = '(?=[0-9a-z]*[A-Z])(?=[0-9A-Z]*[a-z])'
const A_KEY = new RegExp(`${KEY_PREFIX}_${IS_MIXED}${BODY}`)

/** Whether a key seems to stand somewhere in the text: it must be neither stored nor repeated. */
export function holdsKey(text: string): boolean {
  return A_KEY.test(text)
}

/**
 * By chance, one in 62 names as long as a key has the first checksum character right, and one in
 * 240,000 the first three.
 */
const TELLING_LENGTH = 3

interface FoundKey {
  /** Where it stands in the text, in UTF-16 units. */
  start: number
  end: number
  /** The whole key, even if its checksum is incomplete in the text. */
  key: string
  /** Its id and secret. */
  body: string
  /** Whether enough of a right checksum is there to rule out chance. */
  isChecked: boolean
}

/** Matches only the prefix, since one key may begin where another one breaks off. */
const KEYS = new RegExp(
  `${KEY_PREFIX}_(?=(${BODY})((?:(?!${KEY_PREFIX}_)[0-9A-Za-z]){0,${CHECKSUM_LENGTH}}))`,
  'g',
)

/** Every key in a text, even if the end of its checksum, or all of it, is missing. */
export function findKeys(text: string): FoundKey[] {
  const found: FoundKey[] = []
  for (const { index: start, 0: prefix, 1: body = '', 2: given = '' } of text.matchAll(KEYS)) {
    const whole = checksum(prefix + body)
    if (!whole.startsWith(given)) continue
    const end = start + prefix.length + body.length + given.length
    const isChecked = given.length >= TELLING_LENGTH
    found.push({ start, end, key: prefix + body + whole, body, isChecked })
  }
  return found
}

export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

export function hashesEqual(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}

function randomBase62(length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += BASE62[randomInt(62)]
  return text
}

/** CRC-32 of `body`, in base62, most significant digit first, padded with zeros. */
function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
