import { SPACE } from '../../ascii.ts'
import { type KnownWords, stepsOf } from '../../words/known-words.ts'
import type { Token } from '../../words/tokens.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'

/** A folded text with its words, and for each whether it is known by itself. */
type Words = Layer & { tokens: readonly Token[]; isKnown: readonly boolean[] }

/** A stretch of text, and the range of its tokens. */
type Lines = { start: number; end: number; from: number; to: number }

/** A line or a part of one, with the number of its known words. */
type Stretch = Lines & { plain: number }

/** A substitution that moves each letter on by `by`, in the reversed alphabet if `turned`. */
type Exchange = { turned: boolean; by: number }

const KNOWN_MIN = 3
const KNOWN_SHARE_MAX = 0.4
/** Shorter words turn into other words by chance. */
const TELLING_LENGTH_MIN = 5
const ALPHABET = 26
const ROT13: Exchange = { turned: false, by: 13 }

/**
 * Layers in which lines of gibberish, or parts of lines, become known words by a substitution of
 * letters (ROT13, Caesar, Atbash), or read backwards, as a whole or word by word.
 */
export function decipherLayers(layer: Words, known: KnownWords): Layer[] {
  const exchanged: (Lines & { exchange: Exchange })[] = []
  const mirrored: Lines[] = []
  for (const line of tokenLines(layer)) {
    for (const stretch of gibberishIn(layer, line)) {
      const { from, to, plain } = stretch
      const tokens = layer.tokens.slice(from, to)
      const exchange = exchangeIn(tokens, known)
      const becomesKnown = (change: (word: string) => string) =>
        tokens.filter(({ word }) => word.length > 1 && known.has(change(word))).length >=
        Math.max(KNOWN_MIN, 2 * plain)
      if (becomesKnown((word) => exchangeLetters(word, exchange)))
        exchanged.push({ ...stretch, exchange })
      else if (becomesKnown(mirror)) addLine(mirrored, stretch)
      else continue
      if (stretch.to - stretch.from === line.to - line.from) break
    }
  }
  return [
    ...(exchanged.length === 0 ? [] : [exchangedLayer(layer, exchanged)]),
    ...(mirrored.length === 0
      ? []
      : [mirroredWords(layer, mirrored), mirroredLines(layer, mirrored)]),
  ]
}

/** The line if few of its words are known, and the shorter stretches of such words in it. */
function gibberishIn(layer: Words, line: Stretch): Stretch[] {
  const found = isGibberish(line) ? [line] : []
  const odd = line.to - line.from - line.plain
  // Most lines of prose and of code end here, without a search for stretches.
  if (line.plain > 0 && odd >= KNOWN_MIN) addOddStretches(layer, line, found)
  return found
}

/**
 * Adds stretches of unknown words with blanks between them, as in a sentence. They may hold known
 * words, but not two in a row: few substituted words are known by chance, and hardly two in a row.
 */
function addOddStretches(layer: Words, line: Stretch, found: Stretch[]): void {
  const { tokens, isKnown } = layer
  for (let from = line.from; from < line.to; from++) {
    if (isKnown[from]) continue
    let to = from + 1
    let plain = 0
    for (; to < line.to && isBehindBlank(layer, to); to++) {
      if (!isKnown[to]) continue
      if (to + 1 === line.to || isKnown[to + 1]) break
      plain++
    }
    const end = tokens[to - 1]?.end ?? 0
    const stretch = { start: tokens[from]?.start ?? 0, end, from, to, plain }
    if (to - from < line.to - line.from && isGibberish(stretch)) found.push(stretch)
    from = to - 1
  }
}

function isBehindBlank({ text, tokens }: Words, index: number): boolean {
  return text.charCodeAt((tokens[index]?.start ?? 0) - 1) === SPACE
}

function isGibberish({ from, to, plain }: Stretch): boolean {
  return to - from >= KNOWN_MIN && plain <= (to - from) * KNOWN_SHARE_MAX
}

/** The lines that have words: their places in the text, and which tokens they hold. */
function tokenLines(layer: Words): Stretch[] {
  const lines: Stretch[] = []
  let lineEnd = -1
  layer.tokens.forEach((token, index) => {
    const last = lines.at(-1)
    const plain = layer.isKnown[index] ? 1 : 0
    if (last !== undefined && token.start < lineEnd) {
      last.end = token.end
      last.to = index + 1
      last.plain += plain
    } else {
      lines.push({ start: token.start, end: token.end, from: index, to: index + 1, plain })
      const next = layer.text.indexOf('\n', token.start)
      lineEnd = next === -1 ? layer.text.length : next
    }
  })
  return lines
}

/**
 * The substitution that makes most words known. The steps between their letters tell it, because
 * they stay the same when all letters move on.
 */
function exchangeIn(tokens: readonly Token[], known: KnownWords): Exchange {
  const votes = new Map<number, number>()
  let best = ROT13
  let most = 0
  for (const { word } of tokens) {
    if (word.length < TELLING_LENGTH_MIN) continue
    for (const turned of [false, true]) {
      const first = known.firstBySteps(stepsOf(word, turned ? -1 : 1))
      if (first === undefined) continue
      const letter = word.charCodeAt(0) - 97
      const by = (first - 97 - (turned ? -letter : letter) + ALPHABET) % ALPHABET
      const key = turned ? by + ALPHABET : by
      const count = (votes.get(key) ?? 0) + 1
      votes.set(key, count)
      if (count <= most) continue
      most = count
      best = { turned, by }
    }
  }
  return best
}

function exchangeLetters(text: string, { turned, by }: Exchange): string {
  return text.replace(/[a-z]/g, (char) => {
    const letter = char.charCodeAt(0) - 97
    return String.fromCharCode(97 + (((turned ? -letter : letter) + by + ALPHABET) % ALPHABET))
  })
}

function mirror(text: string): string {
  return [...text].reverse().join('')
}

/** Merges lines that follow on one another, because they were written backwards together. */
function addLine(lines: Lines[], line: Lines): void {
  const last = lines.at(-1)
  if (last === undefined || last.to !== line.from) {
    lines.push({ ...line })
    return
  }
  last.end = line.end
  last.to = line.to
}

function exchangedLayer(layer: Words, lines: readonly (Lines & { exchange: Exchange })[]): Layer {
  const isRot13 = lines.every(({ exchange }) => !exchange.turned && exchange.by === ROT13.by)
  const changed = lines.map((line) => ({
    ...line,
    text: exchangeLetters(layer.text.slice(line.start, line.end), line.exchange),
  }))
  return inPlace(layer, changed, isRot13 ? 'rot13' : 'exchanged letters')
}

function mirroredWords(layer: Words, lines: readonly Lines[]): Layer {
  const changed = lines.flatMap(({ from, to }) =>
    layer.tokens.slice(from, to).map(({ start, end }) => ({
      start,
      end,
      text: mirror(layer.text.slice(start, end)),
    })),
  )
  return inPlace(layer, changed, 'backwards')
}

/** Replaces stretches by texts of the same length, so that every character keeps its place. */
function inPlace(
  layer: Layer,
  changed: readonly { start: number; end: number; text: string }[],
  step: string,
): Layer {
  const altered = new Uint8Array(layer.text.length)
  let text = ''
  let copied = 0
  for (const change of changed) {
    altered.fill(1, change.start, change.end)
    text += layer.text.slice(copied, change.start) + change.text
    copied = change.end
  }
  text += layer.text.slice(copied)
  return { ...layer, text, chain: [...layer.chain, step], altered }
}

function mirroredLines(layer: Words, lines: readonly Lines[]): Layer {
  const writer = new LayerWriter(layer.text.length)
  let copied = 0
  for (const { start, end } of lines) {
    writer.copy(layer, copied, start)
    writer.push(mirror(layer.text.slice(start, end)), originAt(layer, start), true)
    copied = end
  }
  writer.copy(layer, copied, layer.text.length)
  const chain = [...layer.chain, 'backwards']
  return { ...layer, ...writer.finish(originAt(layer, layer.text.length)), chain }
}
