import { type Layer, LayerWriter } from '../layer.ts'

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

/**
 * Leetspeak read as letters, when enough words turn into known ones by it; else null.
 * The layer must be folded.
 */
export function unleetLayer(layer: Layer, known: ReadonlySet<string>): Layer | null {
  const mixed = /[a-z@$!|+0-9]{3,}/g
  let gained = 0
  const replaced: { at: number; word: string }[] = []
  for (const match of layer.text.matchAll(mixed)) {
    const word = match[0]
    if (!/[a-z]/.test(word) || !/[0-9@$!|+]/.test(word)) {
      if (!/^[0134578]{2,}$/.test(word)) continue
    }
    const plain = unleet(word)
    const hit = known.has(plain) || known.has(plain.replace(/i/g, 'l')) || known.has(stem(plain))
    if (hit && !known.has(word)) gained++
    replaced.push({
      at: match.index,
      word:
        known.has(plain.replace(/i/g, 'l')) && !known.has(plain) ? plain.replace(/i/g, 'l') : plain,
    })
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

function unleet(word: string): string {
  let plain = ''
  for (const char of word) plain += LEET[char] ?? char
  return plain
}

function stem(word: string): string {
  return word.replace(/[!|]+$/, '').replace(/(?:s|i|t)$/, '')
}

const ROT13_KNOWN_MIN = 3

/** ROT13 undone line by line where that turns gibberish into known words; else null. */
export function unrot13Layer(layer: Layer, known: ReadonlySet<string>): Layer | null {
  let changed = false
  let at = 0
  const altered = new Uint8Array(layer.text.length)
  const lines = layer.text.split('\n').map((line) => {
    const start = at
    at += line.length + 1
    const turned = line.replace(/[a-z]/g, rot13)
    if (knownWords(turned, known) < Math.max(ROT13_KNOWN_MIN, 2 * knownWords(line, known)))
      return line
    changed = true
    altered.fill(1, start, start + line.length)
    return turned
  })
  if (!changed) return null
  return { ...layer, text: lines.join('\n'), chain: [...layer.chain, 'rot13'], altered }
}

function rot13(char: string): string {
  return String.fromCharCode(((char.charCodeAt(0) - 97 + 13) % 26) + 97)
}

function knownWords(line: string, known: ReadonlySet<string>): number {
  let count = 0
  for (const word of line.split(/[^a-z]+/)) if (word.length > 1 && known.has(word)) count++
  return count
}

const SPACED_LETTERS_MIN = 8

/**
 * Words written letter by letter or cut in pieces, put together again: "i g n o r e", "ig-nore",
 * "instruc\ntions". Null when nothing was cut.
 */
export function rejoinLayer(layer: Layer, known: ReadonlySet<string>): Layer | null {
  const tokens = [...layer.text.matchAll(/[a-z0-9']+/g)]
  const writer = new LayerWriter(layer.text.length + 32)
  const at = (index: number) => (layer.origin === null ? index : (layer.origin[index] ?? 0))
  let joined = 0
  let copied = 0
  for (let index = 0; index < tokens.length; ) {
    const end = spacedRunEnd(layer.text, tokens, index)
    const first = tokens[index]
    if (first === undefined) break
    let word = ''
    let last = index
    if (end - index >= SPACED_LETTERS_MIN) {
      last = end - 1
      word = segment(
        tokens
          .slice(index, end)
          .map((token) => token[0])
          .join(''),
        known,
      )
    } else {
      ;({ word, last } = cutWord(layer.text, tokens, index, known))
    }
    if (word !== '') {
      const stop = tokens[last]
      const tail = (stop?.index ?? 0) + (stop?.[0].length ?? 0)
      for (let unit = copied; unit < first.index; unit++)
        writer.push(layer.text[unit] ?? '', at(unit))
      writer.push(word, at(first.index), true)
      copied = tail
      joined += last - index
      index = last + 1
    } else {
      index++
    }
  }
  if (joined < 2) return null
  for (let unit = copied; unit < layer.text.length; unit++)
    writer.push(layer.text[unit] ?? '', at(unit))
  const finished = writer.finish(at(layer.text.length))
  return { ...layer, ...finished, chain: [...layer.chain, 'rejoined'] }
}

function spacedRunEnd(text: string, tokens: RegExpExecArray[], start: number): number {
  let index = start
  for (; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined || token[0].length !== 1) break
    const before = tokens[index - 1]
    if (index > start && before !== undefined && token.index - before.index > 5) break
    if (index > start && text.slice((before?.index ?? 0) + 1, token.index).includes('\n\n')) break
  }
  return index
}

const CUT_PIECES_MAX = 4

function cutWord(
  text: string,
  tokens: RegExpExecArray[],
  start: number,
  known: ReadonlySet<string>,
) {
  const first = tokens[start]
  if (first === undefined) return { word: '', last: start }
  let word = first[0]
  let strange = !known.has(word)
  for (let last = start + 1; last < tokens.length && last < start + CUT_PIECES_MAX; last++) {
    const token = tokens[last]
    const before = tokens[last - 1]
    if (token === undefined || before === undefined) break
    const gap = text.slice(before.index + before[0].length, token.index)
    if (gap.length > 3 || /[a-z0-9,;:()]/.test(gap)) break
    word += token[0]
    strange = strange || !known.has(token[0])
    if (word.length >= 6 && strange && known.has(word)) return { word, last }
  }
  return { word: '', last: start }
}

const SEGMENT_WORD_MAX = 16

/** Splits letters into known words, preferring long ones (dynamic programming over positions). */
function segment(letters: string, known: ReadonlySet<string>): string {
  const length = Math.min(letters.length, 2_000)
  const cost = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(length + 1)
  cost[0] = 0
  for (let end = 1; end <= length; end++) {
    for (let start = Math.max(0, end - SEGMENT_WORD_MAX); start < end; start++) {
      const word = letters.slice(start, end)
      const price = known.has(word) ? 1 + 1 / word.length : word.length === 1 ? 3 : 99
      const total = (cost[start] ?? 0) + price
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
