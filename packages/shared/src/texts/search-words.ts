import { namesSpelledAlike } from './spellings.ts'

/**
 * Words that stand in nearly every English text, so that looking for them tells nothing: the list
 * of the Snowball project, which PostgreSQL's `english` search leaves out too.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `
  i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she
  her hers herself it its itself they them their theirs themselves what which who whom this that
  these those am is are was were be been being have has had having do does did doing a an the and
  but if or because as until while of at by for with about against between into through during
  before after above below to from up down in out on off over under again further then once here
  there when where why how all any both each few more most other some such no nor not only own
  same so than too very s t can will just don should now
`
    .trim()
    .split(/\s+/),
)

const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Whether a query has only stop words, as `how to`. */
export function tellsNothing(q: string): boolean {
  const words = q.toLowerCase().match(WORD) ?? []
  return words.length > 0 && words.every((word) => STOP_WORDS.has(word))
}

/** What a text must hold to be worth a search: more than punctuation. */
export const ANY_SIGN = /[a-z0-9]|[^\s\p{P}\p{C}\p{ASCII}]/iu

/**
 * Scripts that put no spaces between words, so that the end of a word cannot be seen; in Korean,
 * none before the endings of a word.
 */
const SCRIPTS = ['Han', 'Hangul', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']

/**
 * A letter of one of these scripts, even if several share it, as the mark that lengthens a vowel in
 * Japanese. Punctuation that they share is excluded.
 */
export const UNSPACED_LETTER = new RegExp(
  `(?=[\\p{L}\\p{N}\\p{M}])[${SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`,
  'u',
)

/**
 * The `v` of a version of several numbers, as `v20.11.1` or `TLSv1.2`: `v8` alone may be a name.
 */
const MARK = /(?<![\p{L}\p{N}])([a-z]{2,})?v(?=\d+\.\d)/giu

/** A query with versions as plain numbers, because some write them with a `v` and some without. */
export function withoutVersionMarks(q: string): string {
  return q.replaceAll(MARK, (_, name) => (name === undefined ? '' : `${name} `))
}

/**
 * The digits of a number such as `0x80070005`, or the first seven of a hash, the fewest Git shows.
 */
const SHORT = /^(?:0x([\da-f]{4,16})|(?=[\da-f]*[a-f])(?=[\da-f]*\d)([\da-f]{7})[\da-f]+)$/i

/**
 * What others may write for a number or a hash: all know its digits, and few copy a whole hash.
 * Undefined for any other word.
 */
export function shortened(word: string): string | undefined {
  if (word.length < 6) return undefined
  const [, digits, first] = SHORT.exec(word) ?? []
  return digits ?? first
}

/** Units that some write directly after their number, as in `16GiB`, and some after a space. */
export const UNIT = '(?:[kmgt]i?b|[kmgt]i|[kmgt]?hz|[nmuµμ]?s|min|h|px)'

/** Only commands whose names mean nothing else: without `sort`, `sort -java` excludes `java`. */
const COMMANDS =
  'awk|chmod|chown|cp|curl|du|e?grep|ls|lsof|mkdir|mv|netstat|ps|rg|rm|rsync|scp|sed|ss|ssh|tar|unzip|wget|xargs'

/**
 * Right after a command a few letters are options, as in `tar -xzf`, unless they are a command too.
 */
const ITS_OPTIONS = `(?<=(?<!\\S)(?:${COMMANDS})\\s)-(?!(?:${COMMANDS})(?!\\S))[a-z]{2,4}(?!\\S)`

/**
 * A minus that excludes a word or a quotation, or else a minus that is no hyphen. One letter is an
 * option of some command, and a number, such as `-32601` or `-0x2700`, the code of some error.
 */
const MINUS = new RegExp(
  `((?<!\\S)(?!${ITS_OPTIONS})-(?:"|(?!(?:\\d+|0x[\\da-f]+)(?!\\S))[\\p{L}\\p{N}\\p{M}]{2,}(?!\\S)))|(?<![\\p{L}\\p{N}\\p{M}])-+`,
  'giu',
)

/**
 * A query that keeps a minus only where it excludes something, which is before a whole word or a
 * quotation: `-Wsign-compare` and `-march=native` are copied from a command.
 */
export function withPlainOptions(q: string): string {
  return q.replaceAll(MINUS, (_, exclusion = ' ') => exclusion)
}

/** A quotation with its words, or a word or quotation that is excluded. */
const QUOTED_OR_EXCLUDED = /(?<!\S)(-(?:"[^"]*"?|\S+))|"[^"]*"?/g

/** The words and quotations that a query excludes, without minus and quotation marks. */
export function excludedFrom(q: string): string[] {
  const found = [...withPlainOptions(namesSpelledAlike(q)).matchAll(QUOTED_OR_EXCLUDED)]
  const texts = found.map(([, excluded = '']) => excluded.replaceAll(/^-|"/g, '').trim())
  return texts.filter((text) => ANY_SIGN.test(text) && !STOP_WORDS.has(text.toLowerCase()))
}

/** A query without its excluded words and quotations. */
export function withoutExcluded(q: string): string {
  return withPlainOptions(q).replaceAll(QUOTED_OR_EXCLUDED, (found, excluded) =>
    excluded === undefined ? found : ' ',
  )
}
