/** Letters that Unicode does not decompose, each with what is written where a keyboard lacks it. */
const WRITTEN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
}

/** Both cases of each letter; `toUpperCase` makes `SS` of `ß`, and an ASCII letter of `ı`. */
export const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(WRITTEN).flatMap(([letter, written]) => [
    [letter, written],
    [letter === 'ß' ? 'ẞ' : letter === 'ı' ? letter : letter.toUpperCase(), written],
  ]),
)

/** These letters, the micro sign before a unit, and full-width letters and digits. */
const LETTERS = new RegExp(
  `[${Object.keys(WRITTEN).join('')}]|[µμ](?=[a-z])|[\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a]`,
  'giu',
)

/**
 * A text as it is compared in a search, in letters that every keyboard has: `Łódź` as `Lodz`. Marks
 * stay, because indexes remove them themselves.
 */
export function plainLetters(text: string): string {
  return text.replaceAll(LETTERS, (letter) => WRITTEN[letter.toLowerCase()] ?? asNarrow(letter))
}

function asNarrow(letter: string): string {
  return letter === 'µ' || letter === 'μ' ? 'u' : letter.normalize('NFKC')
}
