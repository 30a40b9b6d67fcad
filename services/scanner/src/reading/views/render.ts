import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import { unescapeRun } from '../decode.ts'
import { type Layer, LayerWriter } from '../layer.ts'
import { isToken } from '../token-characters.ts'
import { isInvisible } from './characters.ts'

const ESCAPE =
  /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^\sA-Za-z0-9])|&#?[0-9A-Za-z]+;|%[2-7][0-9a-fA-F]/
const LINK_START = /\[/
/** Behind the text of a link; an address may hold a pair of parentheses. */
const LINK_END = /\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)|\]\[[^[\]\n]*\]/
const EMPHASIS = /\*+|~~|`+/
const TAG = /<[!/A-Za-z][^<>]*>/
/** Escapes of Markdown, JSON and URLs, character references, links, emphasis, code, tags and comments. */
const MARKUP = new RegExp(
  [ESCAPE, LINK_START, LINK_END, EMPHASIS, TAG].map(({ source }) => source).join('|'),
  'g',
)

/** A stretch of markup and what a reader sees of it. */
type Piece = { start: number; end: number; shown: string }

/**
 * The paragraphs in which markup cuts a word, as a page shows them, letter case kept: a key may stand
 * whole only there. Null where there are none: all other markup leaves every key as it is.
 */
export function renderLayer(layer: Layer): Layer | null {
  const { text } = layer
  const pieces = readMarkup(text)
  const paragraphs = cutParagraphs(text, pieces)
  if (paragraphs.length === 0) return null
  const at = (index: number) => (layer.origin === null ? index : (layer.origin[index] ?? 0))
  const writer = new LayerWriter(text.length)
  let next = 0
  for (const { start, end } of paragraphs) {
    let copied = start
    for (let piece = pieces[next]; piece && piece.start < end; piece = pieces[++next]) {
      if (piece.start < start) continue
      writer.copy(layer, copied, piece.start)
      writer.push(piece.shown, at(piece.start), true)
      copied = piece.end
    }
    writer.copy(layer, copied, end)
  }
  const last = paragraphs.at(-1)?.end ?? text.length
  return { ...layer, ...writer.finish(at(last)), chain: [...layer.chain, 'markup'] }
}

/** Each with the blank line before it, in reading order. */
function cutParagraphs(text: string, pieces: readonly Piece[]): { start: number; end: number }[] {
  const paragraphs: { start: number; end: number }[] = []
  let done = 0
  pieces.forEach((piece, index) => {
    if (piece.start < done || !cutsWord(pieces, index, text)) return
    const start = Math.max(done, text.lastIndexOf('\n\n', piece.start))
    const next = text.indexOf('\n\n', piece.end)
    done = next === -1 ? text.length : next
    paragraphs.push({ start, end: done })
  })
  return paragraphs
}

/** All markup of a text, in reading order. */
function readMarkup(text: string): Piece[] {
  const pieces: Piece[] = []
  for (const { 0: written, index: start } of text.matchAll(MARKUP)) {
    const shown = shownOf(written)
    if (shown !== null) pieces.push({ start, end: start + written.length, shown })
  }
  return withoutLooseBrackets(pieces, text)
}

/** A bracket that no link begins with is shown as it is. */
function withoutLooseBrackets(pieces: readonly Piece[], text: string): Piece[] {
  let isLink = false
  const kept = pieces.toReversed().filter(({ start }) => {
    const begins = text[start] === '['
    const isLoose = begins && !isLink
    if (begins || text[start] === ']') isLink = !begins
    return !isLoose
  })
  return kept.reverse()
}

/** What a reader sees of a piece of markup, or null where it is no markup after all. */
function shownOf(written: string): string | null {
  const shown = decode(written)
  return shown !== null && isInvisible(shown.codePointAt(0) ?? 0) ? '' : shown
}

function decode(written: string): string | null {
  if (written.startsWith('%')) return String.fromCharCode(Number.parseInt(written.slice(1), 16))
  if (written.startsWith('&')) {
    if (written[1] === '#') return unescapeRun(written)
    return decodeNamedCharacterReference(written.slice(1, -1)) || null
  }
  if (written.startsWith('\\'))
    return written.length === 2 ? written.slice(1) : unescapeRun(written)
  return /^<https?:/i.test(written) ? written.slice(1, -1) : ''
}

/** Whether a piece spells a letter of a word, or stands inside of one. */
function cutsWord(pieces: readonly Piece[], index: number, text: string): boolean {
  const piece = pieces[index] as Piece
  const before = isToken(text.charCodeAt(piece.start - 1)) || pieces[index - 1]?.end === piece.start
  const after = isToken(text.charCodeAt(piece.end)) || pieces[index + 1]?.start === piece.end
  return piece.shown === '' ? before && after : before || after
}
