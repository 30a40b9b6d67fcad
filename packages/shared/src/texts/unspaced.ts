/** Scripts that put no spaces between words, so that where one ends is not to be seen. */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']

/**
 * A letter of one of them, also where several share it, as the mark that lengthens a vowel in Japanese.
 * They share punctuation as well, which is none.
 */
export const UNSPACED_LETTER = new RegExp(
  `(?=[\\p{L}\\p{N}\\p{M}])[${SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`,
  'u',
)
