import {
  ANY_SIGN,
  STOP_WORDS,
  shortened,
  withoutVersionMarks,
  withPlainOptions,
} from '@stoa/shared/texts/search-words.js'
import { spelledAlike } from '@stoa/shared/texts/spellings.js'
import { spaced } from '../indexing/indexed-document.ts'

/** Meilisearch reads this many words of a query, and none after them. */
const WORDS_MAX = 10

/** What a query asks for, and what it excludes. */
export interface Query {
  /** Text between spaces, once each: a word, or several joined words, such as `dead-lock`. */
  parts: string[]
  /** Words and quotations to leave out, each with its minus. */
  excluded: string[]
}

/** A quotation or text between spaces, with the minus before it. */
const PIECE = /(-?)"([^"]*)"?|([^\s"]+)/g
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/**
 * Takes a query apart. Wanted quotations lose their marks, since of a body the index has neither
 * the places of its words nor words that other fields have; excluded quotations keep them. A part
 * that is only punctuation is dropped, because it would be found in every text.
 */
export function parseQuery(q: string): Query {
  const wanted: string[] = []
  const excluded: string[] = []
  const text = spaced(withPlainOptions(withoutVersionMarks(spelledAlike(q))))
  for (const [, minus, quoted, bare = ''] of text.matchAll(PIECE)) {
    if (minus) excluded.push(`-"${quoted}"`)
    else if (bare.startsWith('-')) excluded.push(bare)
    else wanted.push(...(quoted ?? bare).split(/\s+/))
  }
  const words = wanted.map((part) => part.replace(/^-+/, '')).filter((part) => ANY_SIGN.test(part))
  const telling = words.map(withoutStopWords).filter(Boolean)
  const parts = [...new Set(telling.length > 0 ? telling : words)]
  return {
    parts: wordsOf(parts.join(' ')).length > WORDS_MAX ? longestFirst(parts) : parts,
    excluded: excluded.filter((part) => !STOP_WORDS.has(part.slice(1).toLowerCase())),
  }
}

/** Sorts parts by their longest word, which tells most: pasted messages often begin alike. */
function longestFirst(parts: string[]): string[] {
  const longest = (part: string) => Math.max(0, ...wordsOf(part).map(({ length }) => length))
  return parts.sort((a, b) => longest(b) - longest(a))
}

const DIGITS = /^\p{N}+$/u
/** Words joined by underscores are one name. */
const NAME = /[\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}]/gu

/** The words of a name in camelCase, told apart by capitals. */
const CAPITALIZED = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
/** Meilisearch itself splits one word in two, and joins two or three words to one. */
const CAPITALIZED_MIN = 3

/**
 * What to look for if no text has a part of several names, such as `os.path.exists`, as a whole:
 * each name, except single letters. Others may write `maxPollRecords` with underscores. A part with
 * a number, such as `port-443`, means just that number and is not taken apart; a hash gives its
 * beginning.
 */
export function namesWithin(part: string): string[] {
  const given = part.match(NAME) ?? []
  const names = given.length === 1 ? withinCamelCase(given[0] as string) : given
  const short = names.length === 1 ? shortened(names[0] as string) : undefined
  if (short !== undefined) return [short]
  if (names.length < 2 || wordsOf(part).some((word) => DIGITS.test(word))) return []
  const telling = names.filter((name) => name.length > 1 && !STOP_WORDS.has(name.toLowerCase()))
  return [...new Set(telling)]
}

function withinCamelCase(name: string): string[] {
  const words = /^[a-z]+$/i.test(name) ? (name.match(CAPITALIZED) ?? []) : []
  return words.length < CAPITALIZED_MIN ? [name] : words
}

function wordsOf(text: string): string[] {
  return text.match(WORD) ?? []
}

/** A word of ASCII with a digit in it, and the hyphen after it. */
const WITH_DIGIT = /(?<![\p{L}\p{N}\p{M}])([a-z]*\d[a-z\d]*)(?![\p{L}\p{N}\p{M}])-?/giu
/** A number, the code of an error such as `E0382`, or a hash. */
const NUMBER_OR_CODE = /^(?:\d+|[a-z]\d{3,}|0x[\da-f]+|[\da-f]{7,})$/i
/** A name with a number, which the index has apart too. */
const NAMED_CODE = /^([a-z]{2,})(\d{3,})$/i

/**
 * A query as Meilisearch reads it. Numbers and codes are quoted: Meilisearch would also take 443
 * for 4 and 43, as it splits any word, 4 43 for 443, and `E0383` for a misspelt `E0382`. The hyphen
 * after a number goes, because apart from it, as the second of `gpt-4-turbo`, it would exclude the
 * next word. Exclusions come first: after the last word that it reads, Meilisearch would not see
 * them.
 */
export function textOf({ parts, excluded }: Query): string {
  const wanted = parts.map((part) => part.replaceAll(WITH_DIGIT, asItStands))
  return [...excluded, ...wanted].join(' ')
}

function asItStands(found: string, word: string): string {
  if (NUMBER_OR_CODE.test(word)) return ` "${word}" `
  const [, name, number] = NAMED_CODE.exec(word) ?? []
  return name === undefined ? found : ` ${name} "${number}" `
}

/** A part as it is, or without its stop words if it has some. */
function withoutStopWords(part: string): string {
  const words = wordsOf(part)
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()))
  return telling.length === words.length ? part : telling.join(' ')
}
