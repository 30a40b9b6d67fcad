import type { SearchDocument } from '@stoa/shared/contracts/search.js'
import { plainLetters } from '@stoa/shared/texts/plain-letters.js'
import { STOP_WORDS, shortened, UNIT } from '@stoa/shared/texts/search-words.js'
import { withSpellings } from '@stoa/shared/texts/spellings.js'

/**
 * Signs that Meilisearch takes for letters, though Markdown and code put them right beside words.
 * As `separatorTokens` they would double the time of indexing, because Meilisearch would then
 * compare every token with every separator.
 */
const SYMBOLS = /[<>=|~^$`]+/g

/** Blanks, and a hyphen, that Meilisearch takes for part of a word: models write many of them. */
const BLANKS = /[\u0085\u00a0\u2011\u2028\u2029\u202f\u205f]/g
/** Punctuation of several signs in one, such as an ellipsis: Meilisearch takes it for a word. */
const SEVERAL =
  /[\u061d\u066b\u066c\u2017\u2025\u2026\u2033\u2034\u2036\u2037\u203c\u203e\u2047-\u2049\u2057\ufe19\ufe30\ufe49-\ufe4c]/g
/**
 * Meilisearch takes each of these for a word as well, with the characters that join several to one.
 */
const SIGNS = /[^\P{S}\p{ASCII}](?:\p{S}|\ufe0f|\u200d)*/gu

/** A text with its words told apart, for the index and for queries alike. */
export function spaced(text: string): string {
  return spacedBeyondAscii(text.replaceAll(SYMBOLS, ' '))
}

function spacedBeyondAscii(text: string): string {
  if (ASCII.test(text)) return text
  return plainLetters(text)
    .replaceAll(BLANKS, ' ')
    .replaceAll(SEVERAL, ' ')
    .replaceAll(SIGNS, ' $& ')
}

/** A number with its unit right after it. */
const MEASURE = new RegExp(`^(\\d+)(${UNIT})$`, 'i')
/**
 * A name, with its last `v` and without, and the number after it: `python3`, `TLSv1`; of `v20` its
 * number.
 */
const NUMBERED = /^(?:v|(([a-z]{2,}?)v?))(\d+)$/i

/**
 * What others write apart: `16 GiB` for `16GiB`, `python 3` for `python3`, `20` for `v20`. If a
 * query has such words together, the index itself finds both forms.
 */
function apart(word: string): string[] {
  const short = shortened(word)
  if (short !== undefined) return [short]
  // Few words get any further.
  if (isDigit(word.charCodeAt(0)) === isDigit(word.charCodeAt(word.length - 1))) return []
  const [, ...parts] = MEASURE.exec(word) ?? NUMBERED.exec(word) ?? []
  return [...new Set(parts.filter((part) => part !== undefined))]
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Words of ASCII. */
const ANY_WORD = /[a-z0-9]+/gi
const DIGIT = /\d/

function withParts(text: string): string {
  const spelled = inEachSpelling(text)
  if (!DIGIT.test(spelled)) return spelled
  return spelled.replaceAll(ANY_WORD, (word) => [word, ...apart(word)].join(' '))
}

/** Adds `65536` to `65,536` and `cpp` to `C++`: the words by which queries look for them. */
function inEachSpelling(text: string): string {
  return withSpellings(text, (found, word) => `${found} ${word} `)
}

/**
 * A document as it is indexed: its body has each word once, without stop words and words of other
 * fields. Nothing else counts in a search whose proximity is by attribute; three words in five
 * repeat, and each would cost three entries of the index
 * (docs/decisions/0037-what-a-word-costs-the-index.md).
 */
export function indexedDocument(document: SearchDocument): SearchDocument {
  const title = withParts(spaced(document.title))
  const summary = withParts(spaced(document.summary))
  const known = new Set<string>()
  eachWord(`${title} ${summary} ${document.tags.join(' ')}`, (word) => known.add(word))
  let body = ''
  let stops = STOPS
  const add = (word: string) => {
    if (known.has(word) || STOP_WORDS.has(word)) return
    known.add(word)
    body += stops-- > 0 ? `${word}. ` : `${word} `
    apart(word).forEach(add)
  }
  eachWord(inEachSpelling(spacedBeyondAscii(document.body_md)), add)
  const tags = document.tags.join(' ')
  const spelled = inEachSpelling(tags)
  // Filters use tags as they are, so other spellings of tags have no place but the body.
  if (spelled !== tags) eachWord(spelled, add)
  return { ...document, title, summary, body_md: body }
}

/**
 * A full stop moves the next word on by eight places; this many lead beyond the exact places. The
 * index has an entry for every place of a word: exact up to 16, then by powers of two (Meilisearch
 * 1.21, `bucketed_position`).
 */
const STOPS = 4

const ASCII_MAX = 0x80
/** 1 for ASCII letters and digits. Other ASCII signs end a word for Meilisearch, or are symbols. */
const IN_WORDS = new Uint8Array(ASCII_MAX)
for (let code = 0; code < ASCII_MAX; code++) {
  IN_WORDS[code] = /[a-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0
}

/**
 * Calls `found` with each word of a text as the index tells words apart, in lower case; beyond
 * ASCII both are left to the index. By hand: with a regular expression, a document takes a fifth
 * longer.
 */
function eachWord(text: string, found: (word: string) => void): void {
  const lower = inLowerCase(text)
  for (let at = 0; at < lower.length; at++) {
    const start = at
    let isAscii = true
    for (; at < lower.length; at++) {
      const code = lower.charCodeAt(at)
      if (code >= ASCII_MAX) isAscii = false
      else if (IN_WORDS[code] === 0) break
    }
    if (at === start) continue
    const word = lower.slice(start, at)
    if (isAscii) found(word)
    else withoutPunctuation(word, found)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what ASCII is.
const ASCII = /^[\x00-\x7f]*$/
const CAPITALS = /[A-Z]+/g

function inLowerCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.replaceAll(CAPITALS, (capitals) => capitals.toLowerCase())
}

const PUNCTUATION = /\p{P}/u

/**
 * Removes punctuation around a word. By hand: a regular expression seeks the end from every place.
 */
function withoutPunctuation(word: string, found: (word: string) => void): void {
  let start = 0
  let end = word.length
  while (start < end && PUNCTUATION.test(word.charAt(start))) start++
  while (start < end && PUNCTUATION.test(word.charAt(end - 1))) end--
  if (start < end) found(word.slice(start, end))
}
