const LETTER = /[\p{L}\p{N}\p{M}]/u
/** Scripts that put no spaces between words, so that where one ends is not to be seen. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED_LETTER = new RegExp(
  `[${UNSPACED.map((script) => `\\p{Script=${script}}`).join('')}]`,
  'u',
)
const UNSPACED_RUN = new RegExp(`${UNSPACED_LETTER.source}+`, 'gu')

const ASCII_MAX = 0x80
/** What is known of each UTF-16 unit but surrogates: 0 nothing yet, 1 no part of a word, 2 a part. */
const KNOWN = new Uint8Array(0x10000)
const NO_PART = 1
const PART = 2

/** Whether the unit at `at` belongs to a word of a script with spaces. */
function isPart(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  const known = KNOWN[unit]
  if (known !== 0) return known === PART
  const isLow = unit >= 0xdc00 && unit < 0xe000
  const character = String.fromCodePoint(text.codePointAt(isLow ? at - 1 : at) ?? unit)
  const is = LETTER.test(character) && !UNSPACED_LETTER.test(character)
  const isSurrogate = unit >= 0xd800 && unit < 0xe000
  if (!isSurrogate) KNOWN[unit] = is ? PART : NO_PART
  return is
}

/**
 * Tells `found` of the words of a text, as [start, end), until it answers false: of those that
 * begin with one of `letters` or beyond ASCII, or of all without it. By hand, since an expression
 * of its own for each search takes ten times as long to compile as this takes to run.
 */
export function eachWord(
  text: string,
  letters: Uint8Array | undefined,
  found: (start: number, end: number) => boolean,
): void {
  for (let at = 0; at < text.length; at++) {
    if (!isPart(text, at)) continue
    const start = at
    while (at < text.length && isPart(text, at)) at++
    const first = text.charCodeAt(start)
    const isWanted = !letters || first >= ASCII_MAX || letters[first] === 1
    if (isWanted && !found(start, at)) return
  }
}

/** The letters, in either case, as `eachWord` takes them; what is beyond ASCII is left out. */
export function lettersOf(words: string[]): Uint8Array {
  const letters = new Uint8Array(ASCII_MAX)
  for (const word of words) {
    for (const letter of [word.charAt(0), word.charAt(0).toUpperCase()]) {
      const unit = letter.charCodeAt(0)
      if (unit < ASCII_MAX) letters[unit] = 1
    }
  }
  return letters
}

/** The runs of a text in scripts without spaces. */
export function unspacedRuns(text: string): string[] {
  return text.match(UNSPACED_RUN) ?? []
}
