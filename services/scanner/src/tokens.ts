/** A word of a folded text with its UTF-16 place. */
export type Token = { word: string; start: number; end: number }

const WORD = /[a-z0-9][a-z0-9'’]*|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g
const WORD_LENGTH_MAX = 40

/** The words of a folded text, in order; single characters for scripts written without spaces. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(WORD)) {
    const word = match[0].slice(0, WORD_LENGTH_MAX).replace(/’/g, "'")
    tokens.push({ word, start: match.index, end: match.index + match[0].length })
  }
  return tokens
}
