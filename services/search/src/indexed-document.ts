import type { SearchDocument } from '@stoa/shared/contracts/search.js'

/**
 * Letters to Meilisearch, though Markdown and code put them right beside words. As `separatorTokens`
 * they would double the time of indexing: it compares every token with every separator then.
 */
const SYMBOLS = /[<>=|~^$`]+/g

/** A text whose words are told apart: for what is indexed, and for what is looked for. */
export function spaced(text: string): string {
  return text.replaceAll(SYMBOLS, ' ')
}

/**
 * A document as it is indexed: of its body, each word once that no other field has. Nothing else
 * counts in a search whose proximity is by attribute; three words in five repeat, and each would cost
 * three entries of the index (docs/decisions/0037-what-a-word-costs-the-index.md).
 */
export function indexedDocument(document: SearchDocument): SearchDocument {
  const title = spaced(document.title)
  const summary = spaced(document.summary)
  const words = wordsOf(document.body_md)
  for (const known of wordsOf(`${title} ${summary} ${document.tags.join(' ')}`)) words.delete(known)
  return { ...document, title, summary, body_md: inFewPlaces(words) }
}

/** What of ASCII is neither letter nor digit ends a word for Meilisearch, or is one of SYMBOLS. */
const BETWEEN_WORDS = /[^a-z0-9\u0080-\uffff]+/
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what ASCII is.
const ASCII = /^[\x00-\x7f]*$/
const CAPITALS = /[A-Z]+/g
const PUNCTUATION = /\p{P}/u

/** Distinct words as the index tells them apart. Beyond ASCII that is left to the index itself. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  if (ASCII.test(text)) {
    for (const word of text.toLowerCase().split(BETWEEN_WORDS)) words.add(word)
  } else {
    const lower = text.replaceAll(CAPITALS, (capitals) => capitals.toLowerCase())
    for (const word of lower.split(BETWEEN_WORDS)) words.add(bare(word))
  }
  words.delete('')
  return words
}

/** Without the punctuation around it. By hand: an expression looks for its end from every place. */
function bare(word: string): string {
  let start = 0
  let end = word.length
  while (start < end && PUNCTUATION.test(word.charAt(start))) start++
  while (start < end && PUNCTUATION.test(word.charAt(end - 1))) end--
  return word.slice(start, end)
}

/** A full stop moves the next word on by eight places; this many lead beyond the exact ones. */
const STOPS = 4

/**
 * Words in an order in which each stands where it stands in other documents. The index has an entry
 * for every place a word is found at: up to 16 by itself, then by powers of two (Meilisearch 1.21,
 * `bucketed_position`).
 */
function inFewPlaces(words: Set<string>): string {
  const ordered = [...words].sort()
  return ordered.map((word, i) => (i < STOPS ? `${word}.` : word)).join(' ')
}
