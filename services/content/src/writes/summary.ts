const SUMMARY_MAX = 280

/** Marks at the edge of a word; inside one they are part of a name, as in snake_case. */
const EMPHASIS = /(?<![\p{L}\p{N}])[*_~]+|[*_~]+(?![\p{L}\p{N}])/gu

/**
 * The first sentences of a Markdown text as plain words, at most 280 code points: what a list
 * shows when the author wrote no summary.
 */
export function summaryOf(markdown: string): string {
  // A cut may leave half a character behind, which could not be stored.
  const plain = plainText(markdown.slice(0, 4_000).replace(/[\ud800-\udbff]$/, ''))
  const sentences = plain.split(/(?<=[.!?])\s+/)
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

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
    .replaceAll(/~~~[\s\S]*?(?:~~~|$)/g, ' ')
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replaceAll(/<[^>\n]{0,200}>/g, ' ')
    .replaceAll(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)/g, '$1')
    .replaceAll(/^[ \t]{0,3}(?:#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+/gm, '')
    .replaceAll(/`+/g, '')
    .replaceAll('|', ' ')
    .replaceAll(EMPHASIS, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
