import { withoutStopWords } from '@stoa/shared/stop-words.js'
import { spaced } from './indexed-document.ts'

/** What is not to be found, in quotes. */
const EXCLUDED_PHRASE = /(-"[^"]*"?)/

/**
 * The words of a query as the index knows them. A phrase is looked for by its words: of a body the
 * index has neither their places nor those that other fields have.
 */
export function queryWords(q: string): string {
  const parts = spaced(q).split(EXCLUDED_PHRASE)
  const words = parts.filter((_, i) => i % 2 === 0).join(' ')
  const excluded = parts.filter((_, i) => i % 2 === 1)
  return [withoutStopWords(words.replaceAll('"', ' ')), ...excluded].join(' ').trim()
}
