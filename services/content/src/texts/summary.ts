import { codeOf, linkLabels, plainText } from '@stoa/shared/texts/plain-text.js'

const SUMMARY_MAX = 280

/**
 * The first sentences of a Markdown text as plain words, at most 280 code points: what a list shows
 * when the author wrote no summary. If the text has no words, its code stands for them.
 */
export function summaryOf(markdown: string): string {
  // The cut may leave half a surrogate pair at the end, which could not be stored.
  const beginning = markdown.slice(0, 4_000).replace(/[\ud800-\udbff]$/, '')
  const plain = plainText(beginning, linkLabels(markdown)) || codeOf(beginning)
  const sentences = plain.split(/(?<=\S\.|[!?])\s+/)
  let summary = ''
  for (const sentence of sentences) {
    const next = summary === '' ? sentence : `${summary} ${sentence}`
    if (summary !== '' && [...next].length > SUMMARY_MAX) break
    summary = next
  }
  const characters = [...summary.trim()]
  if (characters.length <= SUMMARY_MAX) return characters.join('')
  return `${characters.slice(0, SUMMARY_MAX - 1).join('')}…`
}
