import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import { isLetter, isToken, SPACE } from '../../ascii.ts'
import { isOtherScript } from '../../words/other-scripts.ts'
import { unescapeRun } from '../decode.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'
import { isInvisible } from './characters.ts'

const ESCAPE =
  /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^\sA-Za-z0-9])|&#?[0-9A-Za-z]+;|%[2-7][0-9a-fA-F]/
/** The percent escapes of a character beyond ASCII. */
const WIDE_ESCAPE = /%[c-fC-F][0-9a-fA-F](?:%[89abAB][0-9a-fA-F]){1,3}/
const LINK_START = /\[/
/** The end of a link after its text; an address may hold a pair of parentheses. */
const LINK_END = /\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)|\]\[[^[\]\n]*\]/
const EMPHASIS = /\*+|~~|`+/
const EMPTY_ELEMENT = /<[A-Za-z][^<>]*><\/[^<>]*>/
const TAG = /<[!/A-Za-z][^<>]*>/
/** Escapes of Markdown, JSON and URLs, references, links, emphasis, code, tags and comments. */
const MARKUP = new RegExp(
  [ESCAPE, WIDE_ESCAPE, LINK_START, LINK_END, EMPHASIS, EMPTY_ELEMENT, TAG]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** A stretch of markup and what a reader sees of it. */
type Piece = { start: number; end: number; shown: string }

/** A layer without its markup; `isDisguise` if some of it is of a kind that only hides words. */
type Rendered = { layer: Layer; isDisguise: boolean }

/**
 * The paragraphs in which markup cuts a word, as a page shows them, letter case kept: only there a
 * key may be whole. Null if there are none, because other markup leaves every key as it is.
 */
export function renderLayer(layer: Layer): Rendered | null {
  const { text } = layer
  const pieces = readMarkup(text)
  const cuts = pieces.filter((_, index) => isCut(pieces, index, text))
  if (cuts.length === 0) return null
  const isDisguise = cuts.some((piece) => isOdd(piece, text) || isDress(piece, text))
  const paragraphs = paragraphsAround(cuts, text)
  const writer = new LayerWriter(text.length)
  let next = 0
  for (const { start, end } of paragraphs) {
    let copied = start
    for (let piece = pieces[next]; piece && piece.start < end; piece = pieces[++next]) {
      if (piece.start < start) continue
      writer.copy(layer, copied, piece.start)
      writer.push(piece.shown, originAt(layer, piece.start), true)
      copied = piece.end
    }
    writer.copy(layer, copied, end)
  }
  const last = paragraphs.at(-1)?.end ?? text.length
  const chain = [...layer.chain, 'markup']
  return { layer: { ...layer, ...writer.finish(originAt(layer, last)), chain }, isDisguise }
}

/** The paragraphs with cuts, each with the blank line before it, in reading order. */
function paragraphsAround(cuts: readonly Piece[], text: string): { start: number; end: number }[] {
  const paragraphs: { start: number; end: number }[] = []
  let done = 0
  for (const cut of cuts) {
    if (cut.start < done) continue
    const start = Math.max(done, text.lastIndexOf('\n\n', cut.start))
    const next = text.indexOf('\n\n', cut.end)
    done = next === -1 ? text.length : next
    paragraphs.push({ start, end: done })
  }
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

/** Leaves out opening brackets that begin no link, because a page shows these as they are. */
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

/** The text that a reader sees for a piece of markup, or null if it is no markup after all. */
function shownOf(written: string): string | null {
  const shown = decode(written)
  if (shown !== null && isInvisible(shown.codePointAt(0) ?? 0)) return ''
  // Addresses often escape letters beyond ASCII, and no key holds such letters.
  return WIDE_ESCAPE.test(written) ? null : shown
}

function decode(written: string): string | null {
  if (written.startsWith('%')) return Buffer.from(written.replaceAll('%', ''), 'hex').toString()
  if (written.startsWith('&')) {
    if (written[1] === '#') return unescapeRun(written)
    return decodeNamedCharacterReference(written.slice(1, -1)) || null
  }
  if (written.startsWith('\\'))
    return written.length === 2 ? written.slice(1) : unescapeRun(written)
  return /^<https?:/i.test(written) ? written.slice(1, -1) : ''
}

/** Whether a piece spells a letter of a word, stands within a word, or is a pipe for commands. */
function isCut(pieces: readonly Piece[], index: number, text: string): boolean {
  const piece = pieces[index] as Piece
  if (piece.shown === '|' && text[piece.start] !== '\\') return true
  const before = isToken(text.charCodeAt(piece.start - 1)) || pieces[index - 1]?.end === piece.start
  const after = isToken(text.charCodeAt(piece.end)) || pieces[index + 1]?.start === piece.end
  if (piece.shown !== '') return before || after
  const isWithin = isOtherScriptAt(text, piece.start - 1) && isOtherScriptAt(text, piece.end)
  return (before && after) || isWithin || isBetweenWords(piece, text)
}

/** Whether a comment or empty element, which nobody sees, only keeps two words of a line apart. */
function isBetweenWords({ start, end }: Piece, text: string): boolean {
  if (text[start] !== '<' || !ODD.test(text.slice(start, end))) return false
  return isToken(besides(text, start - 1, -1)) && isToken(besides(text, end, 1))
}

/** The character at a place, or the next one in the direction of `step` if there is a blank. */
function besides(text: string, at: number, step: number): number {
  const code = text.charCodeAt(at)
  return code === SPACE ? text.charCodeAt(at + step) : code
}

/** Whether emphasis, a tag or a link begins or ends between two letters of a longer word. */
function isDress({ start, end, shown }: Piece, text: string): boolean {
  if (shown !== '' || text[start] === '`') return false
  return [isLetter, isOtherScript].some((isOne) => {
    const isAt = (at: number) => isOne(text.charCodeAt(at))
    return isAt(start - 1) && isAt(end) && (isAt(start - 2) || isAt(end + 1))
  })
}

function isOtherScriptAt(text: string, at: number): boolean {
  return isOtherScript(text.charCodeAt(at))
}

/** Empty markup, and escapes of what needs none: a letter, a pipe, an invisible character. */
const ODD = /^(?:<!--|<[^<>]+><\/|\*{4}$)/
const ODD_ESCAPE = /^(?:[&%]|\\[ux])/

function isOdd({ start, end, shown }: Piece, text: string): boolean {
  const written = text.slice(start, end)
  return ODD.test(written) || (ODD_ESCAPE.test(written) && /^[A-Za-z|]?$/.test(shown))
}
