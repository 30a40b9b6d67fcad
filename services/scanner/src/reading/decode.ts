import { gunzipSync, inflateSync } from 'node:zlib'
import { OTHER_SCRIPT } from '../words/other-scripts.ts'
import { base64Runs, byteRuns, cutRuns, hexRuns, type Run, wrappedRuns } from './encoded-runs.ts'
import { type Layer, LayerWriter, originAt, originOf } from './layer.ts'
import { readable } from './readable.ts'
import { shiftsOfBase64, shiftsOfHex, stretches } from './shifted-text.ts'
import {
  base32Runs,
  callRuns,
  fromBase32,
  fromBytes,
  fromCalls,
  fromMorse,
  morseRuns,
} from './spelled-out.ts'

const DECODE_DEPTH_MAX = 3
export const DECODED_LENGTH_MAX = 256 * 1024
/** The most bytes of one unpacked text; a longer one is not read. */
const UNPACKED_LENGTH_MAX = 64 * 1024
/** Starting to unpack costs as much as writing out this many characters. */
const UNPACKING_COST = 1024
/** Text encoded once or twice, not compressed, decodes to less than this per character in all. */
const DECODED_PER_CHARACTER = 8

/**
 * Shared by all fields of one item and their layers, so that neither can multiply the work: the
 * characters that may still be written out, and how many texts were too long for that.
 */
export type DecodeBudget = { left: number; cuts: number }

/**
 * The budget for an item of `length` UTF-16 units. Only compressed text is longer than its source;
 * it counts both when it is unpacked and when it is written out.
 */
export function newDecodeBudget(length: number): DecodeBudget {
  const granted = UNPACKING_COST + 2 * UNPACKED_LENGTH_MAX + DECODED_PER_CHARACTER * length
  return { left: Math.min(DECODED_LENGTH_MAX, granted), cuts: 0 }
}

function afford(budget: DecodeBudget, length: number): boolean {
  const fits = length <= budget.left
  if (fits) budget.left -= length
  else budget.cuts++
  return fits
}

/** Layers of every readable text encoded inside a layer, nested up to three deep. */
export function decodeLayers(layer: Layer, budget: DecodeBudget): Layer[] {
  const found: Layer[] = []
  let generation = [layer]
  for (let depth = 0; depth < DECODE_DEPTH_MAX; depth++) {
    const next: Layer[] = []
    for (const parent of generation) {
      next.push(...blobs(parent, budget), ...escapes(parent, budget))
    }
    if (next.length === 0) break
    found.push(...next)
    generation = next
  }
  return found
}

const TEXT_LENGTH_MIN = 6
/** Separates texts: no word, phrase or line continues across it. */
export const BREAK = '\n\n.\n\n'

function blobs(layer: Layer, budget: DecodeBudget): Layer[] {
  const { text } = layer
  return [
    ...writeOut(layer, 'base64', wrappedRuns(text), fromWrapped, budget),
    ...writeOut(layer, 'base64', base64Runs(text), fromBase64, budget),
    ...writeOut(layer, 'base64', cutRuns(text), fromCut, budget),
    ...writeOut(layer, 'hex', hexRuns(text), fromHex, budget),
    ...writeOut(layer, 'bytes', byteRuns(text), fromBytes, budget),
    ...writeOut(layer, 'bytes', callRuns(text), fromCalls, budget),
    ...writeOut(layer, 'base32', base32Runs(text), fromBase32, budget),
    ...writeOut(layer, 'morse', morseRuns(text), fromMorse, budget),
  ]
}

/** Writes all texts encoded in one way into one layer, which is cheaper to search than many. */
function writeOut(
  layer: Layer,
  name: string,
  runs: readonly Run[],
  decode: (written: string, budget: DecodeBudget) => string[],
  budget: DecodeBudget,
): Layer[] {
  let writer: LayerWriter | null = null
  let end = 0
  for (const [first, last] of runs) {
    for (const text of decode(layer.text.slice(first, last), budget)) {
      if (text.length < TEXT_LENGTH_MIN) continue
      if (!afford(budget, text.length + BREAK.length)) continue
      const [from, to] = originOf(layer, first, last)
      // Several texts may come from one run, and origins must not fall.
      if (writer !== null) writer.push(BREAK, Math.min(end, from))
      writer ??= new LayerWriter(text.length)
      writer.push(text, from)
      end = to
    }
  }
  if (writer === null) return []
  return [{ ...writer.finish(end), chain: [...layer.chain, name], hidden: true }]
}

const PERCENT = /%[0-9a-fA-F]{2}(?:%[0-9a-fA-F]{2})*/
/** In a string within a string, the backslash of an escape is itself escaped. */
const UNICODE =
  /(?:\\{1,2}u[0-9a-fA-F]{4})+|(?:\\u\{[0-9a-fA-F]{1,6}\})+|(?:\\U00[0-9a-fA-F]{6})+|(?:%u[0-9a-fA-F]{4})+/
const BYTE = /(?:\\{1,2}x[0-9a-fA-F]{2})+|(?:\\[0-3][0-7]{2})+/
/** Escapes of style sheets, which a blank ends. */
const STYLE = /(?:\\0000[0-9a-fA-F]{2}\s?)+|(?:\\[2-7][0-9a-fA-F] ){4,}/
/** Quoted-printable of mail, which may break a line; fewer than four may be part of an address. */
const QUOTED_PRINTABLE = /(?:=(?:[0-9A-F]{2}|\r?\n)){4,}/
/** Code points in `U+` notation, in a row or alone. */
const CODE_POINTS = /U\+[0-9a-fA-F]{4,6}(?:[\s,]{0,2}U\+[0-9a-fA-F]{4,6})*/
/** Numeric references, which HTML reads without their semicolons too. */
const REFERENCE = /&#(?:[xX][0-9a-fA-F]{1,6}|[0-9]{1,7});?|&amp;#/
const ESCAPE = new RegExp(
  [PERCENT, UNICODE, STYLE, BYTE, CODE_POINTS, REFERENCE, QUOTED_PRINTABLE]
    .map(({ source }) => source)
    .join('|'),
  'g',
)
const ESCAPE_NAMES: Readonly<Record<string, string>> = {
  '%': 'percent',
  '&': 'entity',
  '=': 'quoted-printable',
}
const ESCAPES_MIN = 4
/** Letters, blanks, and the signs that begin an escape which was escaped itself. */
const SPELT = new RegExp(`[a-zA-Z %&\\\\]|${OTHER_SCRIPT.source}`, 'g')

/**
 * The layer with its percent, `\u`, `\x`, octal, `U+`, mail, style sheet and numeric entity escapes
 * written out, if these spell at least four letters.
 */
function escapes(layer: Layer, budget: DecodeBudget): Layer[] {
  const { text } = layer
  if (!/[%\\&]|U\+|=[0-9A-F]{2}=/.test(text)) return []
  const runs: { start: number; end: number; plain: string }[] = []
  let letters = 0
  let name = ''
  for (const match of text.matchAll(ESCAPE)) {
    const plain = unescapeRun(match[0])
    if (plain === null) continue
    name = ESCAPE_NAMES[match[0].charAt(0)] ?? 'escape'
    runs.push({ start: match.index, end: match.index + match[0].length, plain })
    letters += plain.match(SPELT)?.length ?? 0
  }
  if (letters < ESCAPES_MIN) return []
  const writer = new LayerWriter(text.length)
  let copied = 0
  for (const { start, end, plain } of runs) {
    writer.copy(layer, copied, start)
    writer.push(plain, originAt(layer, start), true)
    copied = end
  }
  writer.copy(layer, copied, text.length)
  const finished = writer.finish(originAt(layer, text.length))
  if (!afford(budget, finished.text.length)) return []
  return [{ ...finished, chain: [...layer.chain, name], hidden: layer.hidden }]
}

/** The text that a run of one kind of escape spells, or null if it spells no text. */
export function unescapeRun(run: string): string | null {
  try {
    if (/^(?:%[^u]|=)/.test(run)) return unescapePercent(run)
    if (run === '&amp;#') return '&#'
    if (run.startsWith('&#')) {
      const digits = run.slice(2).replace(';', '')
      return String.fromCodePoint(Number(/^x/i.test(digits) ? `0${digits}` : digits))
    }
    if (run.startsWith('\\0000')) return spell(run.match(/[0-9a-fA-F]{6}/g), 16)
    if (run.startsWith('\\') && run.endsWith(' ')) return spell(run.match(/[0-9a-fA-F]{2}/g), 16)
    if (/^\\\d/.test(run)) return spell(run.match(/[0-7]{3}/g), 8)
    return spell(run.replaceAll('\\U00', ' ').match(/[0-9a-fA-F]{2,6}/g), 16)
  } catch {
    // A code point out of range is not text.
    return null
  }
}

/** Printable ASCII is taken as it is, even `%25` alone; other bytes must be readable text. */
function unescapePercent(run: string): string | null {
  const bytes = Buffer.from(run.replace(/[%=\s]/g, ''), 'hex')
  return bytes.every((code) => code >= 32 && code < 127) ? bytes.toString() : readable(bytes)
}

function spell(codes: string[] | null, base: number): string {
  return (codes ?? []).map((code) => String.fromCodePoint(Number.parseInt(code, base))).join('')
}

function fromWrapped(written: string, budget: DecodeBudget): string[] {
  return fromBase64(written.replace(/[\s>]+/g, ''), budget)
}

/** Padding inside a run shows that each word was encoded by itself. */
const PADDED = /[A-Za-z0-9+/]=+[^A-Za-z0-9=]/

/** Texts of base64 that was cut anywhere, also at its URL signs, or encoded word by word. */
function fromCut(written: string, budget: DecodeBudget): string[] {
  const found = written.match(/[A-Za-z0-9+/_-]+/g) ?? []
  // A piece of nothing but signs stands between two others, as the `-` of a list does.
  const pieces = found.filter((piece) => /[A-Za-z0-9]/.test(piece))
  const letters = pieces.join('')
  const bare = letters.replace(/[_-]/g, '')
  const texts = fromBase64(letters, budget)
  if (bare !== letters) texts.push(...fromBase64(bare, budget))
  if (!PADDED.test(written)) return texts
  const words = pieces.map((piece) => Buffer.from(piece, 'base64').toString()).join(' ')
  const text = readable(Buffer.from(words))
  return text === null ? texts : [...texts, text]
}

function fromBase64(letters: string, budget: DecodeBudget): string[] {
  const whole = Buffer.from(letters, 'base64')
  const text = whole.length < 9 ? null : textOf(whole, budget)
  const found = text === null ? [] : [text]
  for (const shift of shiftsOfBase64(letters)) {
    if (shift === 0 && text !== null) continue
    found.push(...stretches(Buffer.from(letters.slice(shift), 'base64')))
  }
  return found
}

function fromHex(written: string, budget: DecodeBudget): string[] {
  const digits = written.replace(/0x|\\x|[^0-9a-fA-F]/g, '')
  const text = textOf(Buffer.from(digits, 'hex'), budget)
  const found = text === null ? [] : [text]
  for (const shift of shiftsOfHex(digits)) {
    if (shift === 0 && text !== null) continue
    found.push(...stretches(Buffer.from(digits.slice(shift), 'hex')))
  }
  return found
}

function textOf(bytes: Buffer, budget: DecodeBudget): string | null {
  const unpacked = unpack(bytes, budget)
  return unpacked === null ? null : readable(unpacked)
}

/** The unpacked bytes, or the bytes themselves if not compressed; null if too long to be read. */
function unpack(bytes: Buffer, budget: DecodeBudget): Buffer | null {
  const inflate = inflaterOf(bytes)
  if (inflate === null) return bytes
  if (!afford(budget, UNPACKING_COST)) return null
  try {
    const unpacked = inflate(bytes, { maxOutputLength: UNPACKED_LENGTH_MAX })
    return afford(budget, unpacked.length) ? unpacked : null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // After any other error the bytes are not compressed after all.
    if (code !== 'ERR_BUFFER_TOO_LARGE') return bytes
    budget.left -= Math.min(budget.left, UNPACKED_LENGTH_MAX)
    budget.cuts++
    return null
  }
}

/** The function that unpacks bytes by their header, of gzip or of zlib with one of four levels. */
function inflaterOf(bytes: Buffer): typeof gunzipSync | null {
  const [first, second = 0] = bytes
  if (first === 0x1f && second === 0x8b) return gunzipSync
  return first === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(second) ? inflateSync : null
}
