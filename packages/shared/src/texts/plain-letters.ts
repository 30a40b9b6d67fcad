/** Letters that Unicode does not take apart, each with what is written for it where a keyboard has none. */
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

/** Both cases of each; the capitals of `ß` and `ı` are not what they are made of. */
export const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(WRITTEN).flatMap(([letter, written]) => [
    [letter, written],
    [letter === 'ß' ? 'ẞ' : letter === 'ı' ? letter : letter.toUpperCase(), written],
  ]),
)

/** They, what stands for a millionth before a unit, and letters that are as wide as those of Chinese. */
const LETTERS = new RegExp(
  `[${Object.keys(WRITTEN).join('')}]|[µμ](?=[a-z])|[\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a]`,
  'giu',
)

/**
 * A text as it is compared in a search, by letters that every keyboard has: `Łódź` as `Lodz`. Marks stay,
 * which indexes take off themselves.
 */
export function plainLetters(text: string): string {
  return text.replaceAll(LETTERS, (letter) => WRITTEN[letter.toLowerCase()] ?? asNarrow(letter))
}

function asNarrow(letter: string): string {
  return letter === 'µ' || letter === 'μ' ? 'u' : letter.normalize('NFKC')
}
