import { DOT, isToken } from '../../ascii.ts'
import { BREAK } from '../decode.ts'
import { type Layer, LayerWriter, originAt } from '../layer.ts'

const END_OF_LINE = /[ \t]{0,2}\r?\n[ \t>]*/g
/** A key goes on with a digit or a capital within, as hardly a word of a new line has. */
const GOES_ON = /\d|.[A-Z]/
/** The shortest keys of a fixed form have this length. */
const KEY_LENGTH_MIN = 20
/** Beside these a run of letters is a piece of base64 or of a path. */
const BASE64_SIGN = /[+/]/

type Piece = { start: number; end: number }

/**
 * What lines end with, joined to what the next ones begin with, where a key may be cut in between.
 * Nothing else is written, so that no name gets the text of another line for its value. Null if
 * there is no such place.
 */
export function wrapLayer(layer: Layer): Layer | null {
  const writer = new LayerWriter(0)
  let end = 0
  for (const pieces of cutKeys(layer.text)) {
    if (end > 0) writer.push(BREAK, originAt(layer, end))
    for (const piece of pieces) {
      writer.copy(layer, piece.start, piece.end)
      end = piece.end
    }
  }
  if (end === 0) return null
  return { ...layer, ...writer.finish(originAt(layer, end)), chain: [...layer.chain, 'rejoined'] }
}

/** The pieces of each text that may be a key, in reading order. */
function cutKeys(text: string): Piece[][] {
  const keys: Piece[][] = []
  let last: Piece = { start: 0, end: 0 }
  for (const { 0: seam, index } of text.matchAll(END_OF_LINE)) {
    const next = runFrom(text, index + seam.length)
    const isChain = last.end === index
    const before = isChain ? last : runBefore(text, index)
    last = next
    if (before.start === before.end || !GOES_ON.test(text.slice(next.start, next.end))) continue
    const known = keys.at(-1)
    if (isChain && known?.at(-1) === before) known.push(next)
    else keys.push([before, next])
  }
  return keys.filter((pieces) => isKey(text, pieces))
}

function runBefore(text: string, end: number): Piece {
  let start = end
  while (isOfKey(text.charCodeAt(start - 1))) start--
  return { start, end }
}

function runFrom(text: string, start: number): Piece {
  let end = start
  while (isOfKey(text.charCodeAt(end))) end++
  return { start, end }
}

function isOfKey(code: number): boolean {
  return isToken(code) || code === DOT
}

function isKey(text: string, pieces: readonly Piece[]): boolean {
  const length = pieces.reduce((sum, { start, end }) => sum + end - start, 0)
  const around = text.charAt((pieces[0]?.start ?? 0) - 1) + text.charAt(pieces.at(-1)?.end ?? 0)
  return length >= KEY_LENGTH_MIN && !BASE64_SIGN.test(around)
}
