import { isToken } from '../../ascii.ts'
import { HEAD, type KnownWords } from '../../words/known-words.ts'
import { isIdeograph, type Token } from '../../words/tokens.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'

const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '+': 't',
}
const LEET_WORDS_MIN = 3

/** A folded text with its words, and for each whether it is known by itself. */
type Words = Layer & { tokens: readonly Token[]; isKnown: readonly boolean[] }

const LEET_MARK = /[a-z][0-9@$!|+][a-z]|[0-9@$!|+]{2}[a-z]/g
/** Matches only at the beginning of a word, or each of its letters would be one more try. */
const LEET_WORD = /(?<![a-z0-9@$!|+])[a-z]{0,40}[0-9@$!|+][a-z0-9@$!|+]{0,40}/g
const LEET_WORD_LENGTH_MIN = 2
/** Shorter spellings become words by chance: they are read with the others, but prove nothing. */
const LEET_TELLING_LENGTH_MIN = 3

/** The text with leetspeak read as letters, if enough words become known by it; otherwise null. */
export function unleetLayer(layer: Words, known: KnownWords): Layer | null {
  let marks = 0
  for (const _ of layer.text.matchAll(LEET_MARK)) if (++marks >= LEET_WORDS_MIN) break
  if (marks < LEET_WORDS_MIN) return null
  let gained = 0
  const replaced: { at: number; word: string }[] = []
  for (const match of layer.text.matchAll(LEET_WORD)) {
    const written = match[0]
    if (written.length < LEET_WORD_LENGTH_MIN) continue
    if (!/[a-z]/.test(written) && !/^[0134578]{2,}$/.test(written)) continue
    const word = readLeet(written, known)
    if (word === null) continue
    if (written.length >= LEET_TELLING_LENGTH_MIN && !known.has(written)) gained++
    replaced.push({ at: match.index, word })
  }
  if (gained < LEET_WORDS_MIN) return null
  const chars = layer.text.split('')
  const altered = new Uint8Array(layer.text.length)
  for (const { at, word } of replaced) {
    altered.fill(1, at, at + word.length)
    for (let index = 0; index < word.length; index++) chars[at + index] = word[index] ?? ''
  }
  return { ...layer, text: chars.join(''), chain: [...layer.chain, 'leetspeak'], altered }
}

/** The known word of a leet spelling, or null; `1` is i or l, and an s, i, t or l may follow. */
function readLeet(written: string, known: KnownWords): string | null {
  const plain = unleet(written)
  const candidates = [plain, plain.replace(/i/g, 'l'), plain.replace(/i(?=i|l|$)/g, 'l')]
  for (const word of candidates) {
    if (known.has(word)) return word
    if (word.length > 2 && known.has(word.replace(/(?:s|i|t|l)$/, ''))) return word
  }
  return null
}

function unleet(word: string): string {
  let plain = ''
  for (const char of word) plain += LEET[char] ?? char
  return plain
}

const SPACED_LETTERS_MIN = 8
const JOINED_PIECES_MIN = 2

/**
 * Words written letter by letter or cut in pieces, put together again: "i g n o r e", "ig-nore",
 * "instruc\ntions". Null when nothing was cut.
 */
export function rejoinLayer(layer: Words, known: KnownWords): Layer | null {
  const { tokens, text } = layer
  const joins: { start: number; end: number; word: string }[] = []
  let joined = 0
  for (let index = 0; index < tokens.length; index++) {
    const first = tokens[index]
    if (first === undefined) break
    // An ideograph is a word by itself, not a letter of one.
    if (isIdeograph(first.word.charCodeAt(0))) continue
    const runEnd = first.word.length === 1 ? spacedRunEnd(text, tokens, index) : index
    const isSpaced = runEnd - index >= SPACED_LETTERS_MIN
    const last = isSpaced ? runEnd - 1 : cutEnd(layer, index, known)
    if (last === index) continue
    const letters = joinWords(tokens, index, last)
    const word = isSpaced ? segment(letters, known) : letters
    joins.push({ start: first.start, end: tokens[last]?.end ?? first.end, word })
    // A single word in underscores is no accident.
    joined += isUnderscored(text, first) ? JOINED_PIECES_MIN : last - index
    index = last
  }
  if (joined < JOINED_PIECES_MIN) return null
  return writeJoins(layer, joins)
}

function writeJoins(layer: Layer, joins: readonly { start: number; end: number; word: string }[]) {
  const writer = new LayerWriter(layer.text.length + 32)
  let copied = 0
  for (const { start, end, word } of joins) {
    writer.copy(layer, copied, start)
    writer.push(word, originAt(layer, start), true)
    copied = end
  }
  writer.copy(layer, copied, layer.text.length)
  return {
    ...layer,
    ...writer.finish(originAt(layer, layer.text.length)),
    chain: [...layer.chain, 'rejoined'],
  }
}

function spacedRunEnd(text: string, tokens: readonly Token[], start: number): number {
  let index = start
  for (; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined || token.word.length !== 1) break
    if (isIdeograph(token.word.charCodeAt(0))) break
    const before = tokens[index - 1]
    if (index > start && before !== undefined && token.start - before.start > 5) break
    if (index > start && text.slice((before?.start ?? 0) + 1, token.start).includes('\n\n')) break
  }
  return index
}

const CUT_PIECES_MAX = 4
const CUT_LENGTH_MIN = 6
/** In `_ig_nore _al_l` the first underscore shows that the next one is no part of a name. */
const DRESSED_LENGTH_MIN = 3

/** The last token of a cut word that begins at `start`; `start` itself if none was cut. */
function cutEnd({ text, tokens, isKnown }: Words, start: number, known: KnownWords): number {
  const first = tokens[start]
  if (first === undefined) return start
  let length = first.word.length
  const isDressed = isUnderscored(text, first)
  let odd = isDressed || isKnown[start] === false
  for (let last = start + 1; last < tokens.length && last < start + CUT_PIECES_MAX; last++) {
    const token = tokens[last]
    const from = tokens[last - 1]?.end ?? 0
    if (token === undefined || !isCut(text, from, token.start)) break
    length += token.word.length
    // A hyphen at the end of a line breaks a word, which is joined even if it is not known.
    if (last === start + 1 && text[from] === '-' && from < token.start) {
      if (text.slice(from, token.start).includes('\n')) return last
    }
    odd = odd || isKnown[last] === false
    if (length < (isDressed ? DRESSED_LENGTH_MIN : CUT_LENGTH_MIN) || !odd) continue
    const head = first.word.length < 3 ? joinWords(tokens, start, last) : first.word
    if (!known.mayBe(head, token.word, length)) continue
    if (known.has(joinWords(tokens, start, last))) return last
  }
  return start
}

/** Whether a word stands between underscores that are no part of a name: `_ig_nore`. */
function isUnderscored(text: string, { start, end }: Token): boolean {
  if (text[end] !== '_' || text[start - 1] !== '_') return false
  return !isToken(text.charCodeAt(start - 2))
}

/** Whether a gap between two words is short and without letters, digits and pauses. */
function isCut(text: string, from: number, to: number): boolean {
  if (to - from > 3) return false
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index)
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 59)) return false
    if (code === 44 || code === 40 || code === 41) return false
  }
  return true
}

function joinWords(tokens: readonly Token[], first: number, last: number): string {
  let word = ''
  for (let index = first; index <= last; index++) word += tokens[index]?.word ?? ''
  return word
}

const SEGMENT_WORD_MAX = 16

/** A letter that belongs to no word costs more than a word of any length. */
const LONE_LETTER_COST = 3

/** Splits letters into known words, preferring long ones (dynamic programming over positions). */
function segment(letters: string, known: KnownWords): string {
  const { length } = letters
  const cost = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(length + 1)
  cost[0] = 0
  for (let start = 0; start < length; start++) {
    const head = letters.slice(start, start + HEAD)
    const last = Math.min(length, start + SEGMENT_WORD_MAX)
    for (let end = start + 1; end <= last; end++) {
      const size = end - start
      if (size >= HEAD && !known.mayBe(head, letters[end - 1] ?? '', size)) continue
      const isKnown = known.has(letters.slice(start, end))
      if (!isKnown && size > 1) continue
      const total = (cost[start] ?? 0) + (isKnown ? 1 + 1 / size : LONE_LETTER_COST)
      if (total < (cost[end] ?? 0)) {
        cost[end] = total
        from[end] = start
      }
    }
  }
  const words: string[] = []
  for (let end = length; end > 0; end = from[end] ?? 0)
    words.push(letters.slice(from[end] ?? 0, end))
  return words.reverse().join(' ')
}
