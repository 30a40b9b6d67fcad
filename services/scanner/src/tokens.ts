/** A word of a folded text with its UTF-16 place; words of one shape share a `form`. */
export type Token = { word: string; start: number; end: number; form: number }

const WORD = /[a-z0-9][a-z0-9'’]*|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g
const WORD_LENGTH_MAX = 40
const TOKENS_MAX = 60_000

/** The words of a folded text, in order; single characters for scripts written without spaces. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  const forms = new Map<string, number>()
  for (const match of text.matchAll(WORD)) {
    let word = match[0].length > WORD_LENGTH_MAX ? match[0].slice(0, WORD_LENGTH_MAX) : match[0]
    if (word.includes('’')) word = word.replace(/’/g, "'")
    const shaped = shape(word)
    let form = forms.get(shaped)
    if (form === undefined) {
      form = forms.size
      forms.set(shaped, form)
    }
    tokens.push({ word, start: match.index, end: match.index + match[0].length, form })
    if (tokens.length >= TOKENS_MAX) break
  }
  return tokens
}

/** Numbers differ from text to text, so only their length is kept. */
export function shape(word: string): string {
  return /^[0-9]+$/.test(word) ? `0*${Math.min(word.length, 5)}` : word
}
