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
 * A document as it is indexed: with each word of its body once, in the order they first appear.
 * Nothing else counts in a search whose proximity is by attribute, and two words in three repeat.
 */
export function indexedDocument(document: SearchDocument): SearchDocument {
  return {
    ...document,
    title: spaced(document.title),
    summary: spaced(document.summary),
    body_md: distinctWords(document.body_md),
  }
}

const BETWEEN_WORDS = /[\s<>=|~^$`]+/
const PUNCTUATION_AROUND = /^\p{P}+|\p{P}+$/gu

function distinctWords(text: string): string {
  const words = new Set<string>()
  for (const word of text.split(BETWEEN_WORDS)) {
    const isBare = isAlphanumeric(word, 0) && isAlphanumeric(word, word.length - 1)
    words.add(isBare ? word : word.replaceAll(PUNCTUATION_AROUND, ''))
  }
  words.delete('')
  return [...words].join(' ')
}

/** For ASCII. By code, since an expression takes several times as long, twice for every word. */
function isAlphanumeric(word: string, at: number): boolean {
  const unit = word.charCodeAt(at)
  const letter = unit | 0x20
  return (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
}
