import { isLetter } from '../../ascii.ts'

/** Invisible characters: zero-width, joiners, bidi controls, fillers, variation selectors. */
export function isInvisible(code: number): boolean {
  return (
    code === 0xad ||
    code === 0x34f ||
    code === 0x61c ||
    code === 0x115f ||
    code === 0x1160 ||
    (code >= 0x17b4 && code <= 0x17b5) ||
    (code >= 0x180b && code <= 0x180f) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0x3164 ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    code === 0xffa0 ||
    (code >= 0xfff9 && code <= 0xfffb) ||
    (code >= 0x1d173 && code <= 0x1d17a) ||
    isTag(code) ||
    isVariationSupplement(code)
  )
}

/** Two Arabic signs each stand for a sentence and would make a text many times as long. */
const COMPATIBLE_LENGTH_MAX = 6

const FLAG_A = 0x1f1e6
const FLAG_Z = 0x1f1ff
const BRAILLE_BLANK = 0x2800
/** The letters of Braille in the order of its block; a sign that is no letter has a blank. */
const BRAILLE = ' a b k l cif msp e h o r djg ntq     u v     x       z    w  y'

/** The Latin letter that readers see in a letter of flags or of Braille; empty for others. */
function letterOfSign(code: number): string {
  if (code >= FLAG_A && code <= FLAG_Z) return String.fromCharCode(code - FLAG_A + 97)
  return (BRAILLE[code - BRAILLE_BLANK] ?? ' ').trim()
}

/** A character as it looks: in NFKC, or as the Latin letter that it stands for. */
export function compatible(char: string): string {
  const letter = letterOfSign(char.codePointAt(0) ?? 0)
  if (letter !== '') return letter
  const plain = char.normalize('NFKC')
  return plain.length > COMPATIBLE_LENGTH_MAX ? char : plain
}

/** Ideographs, kana and Hangul, which have no case, no other form and no Latin look-alike. */
export function isSyllable(code: number): boolean {
  return (
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fc && code !== 0x30fb) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3)
  )
}

/** Accents, strokes and enclosures drawn over the letter before them, of no particular script. */
export function isCombining(code: number): boolean {
  return (
    (code >= 0x300 && code <= 0x36f) ||
    (code >= 0x483 && code <= 0x489) ||
    (code >= 0x1ab0 && code <= 0x1aff) ||
    (code >= 0x1dc0 && code <= 0x1dff) ||
    (code >= 0x20d0 && code <= 0x20ff) ||
    (code >= 0xfe20 && code <= 0xfe2f)
  )
}

/** Vowel marks of Arabic, and the stroke that draws a word out; most texts have neither. */
export function isArabicMark(code: number): boolean {
  return code === 0x640 || (code >= 0x64b && code <= 0x65f) || code === 0x670
}

/**
 * Controls that give letters another direction than their own. U+2068 (first-strong isolate) and
 * U+2069, which ends it, are left out: translated messages have the two around each name.
 */
export function isBidiControl(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || code === 0x2066 || code === 0x2067
}

/** Letters of Hebrew, Arabic and their relatives. */
export function isRightToLeft(code: number): boolean {
  return (code >= 0x5d0 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfefc)
}

/** Unicode tag characters, which mirror ASCII invisibly. */
export function isTag(code: number): boolean {
  return code >= 0xe0000 && code <= 0xe007f
}

export function isVariationSupplement(code: number): boolean {
  return code >= 0xe0100 && code <= 0xe01ef
}

const BLACK_FLAG = 0x1f3f4
/** Letters of the flag of a region: two for the country, then up to four for the region. */
const FLAG_LETTERS_MIN = 3
const FLAG_LETTERS_MAX = 6
const CANCEL_TAG = 0xe007f

/**
 * Length of a character in UTF-16 units. A regional flag, as that of Wales, includes its tags; if
 * the tags spell more or have no end, they are hidden text and do not belong to the flag.
 */
export function lengthOf(code: number, text: string, start: number): number {
  if (code !== BLACK_FLAG) return code > 0xffff ? 2 : 1
  let end = start + 2
  while (isTagOfFlag(text.codePointAt(end) ?? 0)) end += 2
  const letters = (end - start) / 2 - 1
  const isFlag = letters >= FLAG_LETTERS_MIN && letters <= FLAG_LETTERS_MAX
  return isFlag && text.codePointAt(end) === CANCEL_TAG ? end + 2 - start : 2
}

function isTagOfFlag(code: number): boolean {
  return (code >= 0xe0030 && code <= 0xe0039) || (code >= 0xe0061 && code <= 0xe007a)
}

/**
 * Whether a selector chooses a form of the ideograph before it, as Japanese names need; hidden
 * letters have higher selectors.
 */
export function isFormOfIdeograph(code: number, before: number): boolean {
  if (code < 0xe0100 || code > 0xe011f) return false
  return (
    (before >= 0x3400 && before <= 0x9fff) ||
    (before >= 0xf900 && before <= 0xfaff) ||
    (before >= 0x20000 && before <= 0x3ffff)
  )
}

export function isLatinLetter(code: number): boolean {
  return isLetter(code) || (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7)
}

/** Scripts with letters that pass for Latin ones. */
export function isLookalikeScript(code: number): boolean {
  return (
    (code >= 0x370 && code <= 0x3ff) ||
    (code >= 0x400 && code <= 0x52f) ||
    (code >= 0x530 && code <= 0x58f) ||
    (code >= 0x13a0 && code <= 0x167f) ||
    (code >= 0x2c80 && code <= 0x2cff) ||
    (code >= 0xa4d0 && code <= 0xa4ff) ||
    (code >= 0xab70 && code <= 0xabbf)
  )
}
