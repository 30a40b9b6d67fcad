import { isAlphanumeric, SPACE } from '../ascii.ts'

/** Shorter text is too often the work of chance. */
const STRETCH_MIN = 16
/** Letters per group of base64; a stretch has at least GROUPS_MIN groups if written in base64. */
const GROUP_LENGTH = 4
const GROUPS_MIN = 5
const LETTERS_SHARE_MIN = 0.3
const NONE: readonly number[] = []

/**
 * The places within a base64 group at which text may begin; letters before the text can shift it. A
 * group of ASCII begins with one of the first 32 letters, so five groups in a row must do so.
 */
export function shiftsOfBase64(letters: string): readonly number[] {
  return shiftsOf(letters, GROUP_LENGTH, GROUPS_MIN, isFirstHalf)
}

/** The digits of a pair at which text may begin: a readable byte starts with a digit of 2 to 7. */
export function shiftsOfHex(digits: string): readonly number[] {
  return shiftsOf(digits, 2, STRETCH_MIN, (code) => code >= 50 && code <= 55)
}

/** The shifts at which `groupsMin` groups in a row begin with letters that `canBegin` accepts. */
function shiftsOf(
  letters: string,
  groupLength: number,
  groupsMin: number,
  canBegin: (code: number) => boolean,
): readonly number[] {
  if (letters.length < groupLength * groupsMin) return NONE
  const found: number[] = []
  for (let shift = 0; shift < groupLength; shift++) {
    let groups = 0
    for (let at = shift; at < letters.length && groups < groupsMin; at += groupLength)
      groups = canBegin(letters.charCodeAt(at)) ? groups + 1 : 0
    if (groups === groupsMin) found.push(shift)
  }
  return found
}

/** Whether a letter is among the first 32 of base64: `A` to `Z` and `a` to `f`. */
function isFirstHalf(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 102)
}

/** Readable stretches within bytes that are no text as a whole; digits may be encoded once more. */
export function stretches(bytes: Buffer): string[] {
  const found: string[] = []
  let start = 0
  let letters = 0
  for (let at = 0; at <= bytes.length; at++) {
    const code = bytes[at] ?? 0
    if (isAlphanumeric(code) || code === SPACE) letters++
    if (isPrintable(code)) continue
    const length = at - start
    if (length >= STRETCH_MIN && letters >= length * LETTERS_SHARE_MIN)
      found.push(bytes.toString('latin1', start, at))
    start = at + 1
    letters = 0
  }
  return found
}

function isPrintable(code: number): boolean {
  return (code >= 32 && code < 127) || code === 9 || code === 10 || code === 13
}
