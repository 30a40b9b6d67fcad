import { isDigit } from '../ascii.ts'

/** A word of a folded text with its UTF-16 place; words of one shape share a `form`. */
export type Token = { word: string; start: number; end: number; form: number }

const WORD_LENGTH_MAX = 40
/** Below 65,536, so that the forms of two words make one key in StretchScorer. */
const TOKENS_MAX = 60_000

/** The words of a folded text, in order; single characters for scripts written without spaces. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  const forms = new Map<string, number>()
  // A text has thousands of ideographs but few different ones, and making and looking up a string
  // for each costs most of its reading.
  const ideographs = new Map<number, Pick<Token, 'word' | 'form'>>()
  const formOf = (shaped: string) => {
    let form = forms.get(shaped)
    if (form === undefined) {
      form = forms.size
      forms.set(shaped, form)
    }
    return form
  }
  for (let start = 0; start < text.length && tokens.length < TOKENS_MAX; ) {
    const code = text.charCodeAt(start)
    let end = start + 1
    if (isWordStart(code)) {
      end = wordEnd(text, start)
      let word = text.slice(start, Math.min(end, start + WORD_LENGTH_MAX))
      if (word.includes('’')) word = word.replace(/’/g, "'")
      tokens.push({ word, start, end, form: formOf(shape(word)) })
    } else if (isIdeograph(code)) {
      let known = ideographs.get(code)
      if (known === undefined) {
        const word = text.charAt(start)
        known = { word, form: formOf(word) }
        ideographs.set(code, known)
      }
      tokens.push({ word: known.word, start, end, form: known.form })
    }
    start = end
  }
  return tokens
}

function wordEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (!isWordStart(code) && code !== 0x27 && code !== 0x2019) break
    end++
  }
  return end
}

function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || isDigit(code)
}

/** A character of a script that is written without spaces: a word by itself. */
export function isIdeograph(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af)
  )
}

/** Numbers differ from text to text, so only their length is kept. */
export function shape(word: string): string {
  if (word.length === 0) return word
  for (let index = 0; index < word.length; index++) {
    if (!isDigit(word.charCodeAt(index))) return word
  }
  return `0*${Math.min(word.length, 5)}`
}
