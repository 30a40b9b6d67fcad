import { UNSPACED_LETTER } from '@stoa/shared/texts/search-words.js'

const LETTER = /[\p{L}\p{N}\p{M}]/u
const UNSPACED_RUN = new RegExp(`(?:${UNSPACED_LETTER.source})+`, 'gu')

const ASCII_MAX = 0x80
/** What is known of each code point: 0 nothing yet, 1 not part of a word, 2 part of a word. */
const KNOWN = new Uint8Array(0x110000)
const NO_PART = 1
const PART = 2

/** Whether the UTF-16 unit at `at` belongs to a word of a script with spaces. */
function isPart(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  const isHigh = unit >= 0xd800 && unit < 0xdc00
  const isLow = unit >= 0xdc00 && unit < 0xe000
  const code = isHigh || isLow ? (text.codePointAt(isLow ? at - 1 : at) ?? unit) : unit
  if (KNOWN[code] === 0) {
    const character = String.fromCodePoint(code)
    KNOWN[code] = LETTER.test(character) && !UNSPACED_LETTER.test(character) ? PART : NO_PART
  }
  return KNOWN[code] === PART
}

/** The lengths that words may have, by their first letter if it is ASCII; others may have any. */
export interface Likeness {
  /** In UTF-16 units. */
  shortest: Uint16Array
  /** In UTF-16 units; 0 if no word begins with the letter. */
  longest: Uint16Array
}

/**
 * Calls `found` with [start, end) of each word of a text that has this likeness, until it returns
 * false. A word that is not all ASCII may have any length. Scanned by hand, because a regular
 * expression for each search takes ten times as long to compile as this takes to run.
 */
export function eachWord(
  text: string,
  { shortest, longest }: Likeness,
  found: (start: number, end: number) => boolean,
): void {
  for (let at = 0; at < text.length; at++) {
    const first = text.charCodeAt(at)
    if (first < ASCII_MAX && longest[first] === 0) continue
    if (!isPart(text, at) || (at > 0 && isPart(text, at - 1))) continue
    const start = at
    let units = 0
    while (at < text.length && isPart(text, at)) units |= text.charCodeAt(at++)
    const length = at - start
    const isLike =
      units >= ASCII_MAX ||
      (length >= (shortest[first] as number) && length <= (longest[first] as number))
    if (isLike && !found(start, at)) return
  }
}

/** A likeness that every word has. */
export const ANY_WORD: Likeness = {
  shortest: new Uint16Array(ASCII_MAX),
  longest: new Uint16Array(ASCII_MAX).fill(0xffff),
}

/**
 * The likeness of the words that may stand for one of `words`, in either case, `off` letters off.
 */
export function likenessOf(words: string[], off: (word: string) => number): Likeness {
  const shortest = new Uint16Array(ASCII_MAX).fill(0xffff)
  const longest = new Uint16Array(ASCII_MAX)
  for (const word of words) {
    for (const letter of [word.charAt(0), word.charAt(0).toUpperCase()]) {
      const unit = letter.charCodeAt(0)
      if (unit >= ASCII_MAX) continue
      shortest[unit] = Math.min(shortest[unit] as number, word.length - off(word))
      longest[unit] = Math.max(longest[unit] as number, word.length + off(word))
    }
  }
  return { shortest, longest }
}

/** The runs of a text in scripts without spaces, and the words within each run. */
export function unspacedRuns(text: string): string[] {
  const runs: string[] = text.match(UNSPACED_RUN) ?? []
  return [...new Set([...runs, ...runs.flatMap(wordsWithin)])]
}

const DICTIONARY = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * Adjacent single letters in the segmentation are mostly a word that the dictionary does not know.
 */
function wordsWithin(run: string): string[] {
  const words: string[] = []
  let unknown = ''
  for (const { segment } of DICTIONARY.segment(run)) {
    if (isOneLetter(segment)) unknown += segment
    else {
      words.push(unknown, segment)
      unknown = ''
    }
  }
  return [...words, unknown].filter((word) => word !== '' && !isOneLetter(word))
}

function isOneLetter(text: string): boolean {
  return text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length
}
