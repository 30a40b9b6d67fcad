import { gunzipSync, inflateSync } from 'node:zlib'
import { blobOrigin, type Layer, LayerWriter, originOf } from './layer.ts'

const DECODE_DEPTH_MAX = 3
export const DECODED_LENGTH_MAX = 256 * 1024
const BLOBS_MAX = 200

/** Shared between all fields of one item and their layers, so that neither can multiply the work. */
export type DecodeBudget = { length: number; blobs: number }

export function newDecodeBudget(): DecodeBudget {
  return { length: DECODED_LENGTH_MAX, blobs: BLOBS_MAX }
}

/** Every readable text encoded inside a layer, and inside those, to a depth of three. */
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

const BASE64_MIN = 16
/** 1 for the letters of base64 and of its form for URLs. */
const BASE64_LETTERS = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  BASE64_LETTERS[code] = /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0
}
const HEX = /(?:0x|\\x)?[0-9a-fA-F]{2}(?:(?: |:|\\x)?[0-9a-fA-F]{2}){11,}/g

function blobs(layer: Layer, budget: DecodeBudget): Layer[] {
  const made: Layer[] = []
  const take = (name: string, start: number, end: number, text: string | null) => {
    if (text === null || text.length < 6 || text.length > budget.length) return
    budget.length -= text.length
    budget.blobs--
    const [from, to] = originOf(layer, start, end)
    const origin = blobOrigin(text.length, from, to)
    made.push({ text, origin, chain: [...layer.chain, name], hidden: true, altered: null })
  }
  for (const [start, end] of wrappedRuns(layer.text)) {
    if (budget.blobs <= 0) return made
    take('base64', start, end, fromBase64(layer.text.slice(start, end).replace(/\s+/g, '')))
  }
  for (const [start, end] of base64Runs(layer.text)) {
    if (budget.blobs <= 0) return made
    take('base64', start, end, fromBase64(layer.text.slice(start, end)))
  }
  for (const match of layer.text.matchAll(HEX)) {
    if (budget.blobs <= 0) return made
    take('hex', match.index, match.index + match[0].length, fromHex(match[0]))
  }
  return made
}

/**
 * Every run of BASE64_MIN letters of base64 or more, with the padding behind it. One so long covers
 * a place divisible by its least length, so only those are looked at.
 */
function base64Runs(text: string): [number, number][] {
  const runs: [number, number][] = []
  for (let at = BASE64_MIN - 1; at < text.length; at += BASE64_MIN) {
    if (!isBase64(text, at)) continue
    let start = at
    while (isBase64(text, start - 1)) start--
    let end = at + 1
    while (isBase64(text, end)) end++
    at = end - (end % BASE64_MIN) - 1
    if (end - start < BASE64_MIN) continue
    if (text[end] === '=') end += text[end + 1] === '=' ? 2 : 1
    runs.push([start, end])
  }
  return runs
}

function isBase64(text: string, at: number): boolean {
  return BASE64_LETTERS[text.charCodeAt(at)] === 1
}

const WRAPPED_LINE_MIN = 40

/** Runs of two or more whole lines of base64, as mail and PEM tools wrap it. */
function wrappedRuns(text: string): [number, number][] {
  const runs: [number, number][] = []
  let runStart = -1
  let lines = 0
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    const line = text.slice(start, Math.min(end, start + 200)).trim()
    const packed = end - start <= 200 && /^[A-Za-z0-9+/]+={0,2}$/.test(line)
    if (packed && (lines > 0 || line.length >= WRAPPED_LINE_MIN)) {
      if (lines === 0) runStart = start
      lines++
    }
    if (!packed || end >= text.length) {
      if (lines > 1) runs.push([runStart, packed ? end : start])
      lines = 0
    }
    start = end + 1
  }
  return runs
}

const ESCAPE =
  /%[0-9a-fA-F]{2}(?:%[0-9a-fA-F]{2})*|(?:\\u[0-9a-fA-F]{4})+|(?:\\u\{[0-9a-fA-F]{1,6}\})+|(?:\\x[0-9a-fA-F]{2})+|&#[xX][0-9a-fA-F]{1,6};|&#[0-9]{1,7};/g
const ESCAPES_MIN = 4

/** The whole layer with percent, `\u`, `\x` and numeric entity escapes written out, when there are several. */
function escapes(layer: Layer, budget: DecodeBudget): Layer[] {
  const { text } = layer
  if (text.length > budget.length || !/[%\\&]/.test(text)) return []
  const runs: { start: number; end: number; plain: string }[] = []
  let letters = 0
  let name = ''
  for (const match of text.matchAll(ESCAPE)) {
    const plain = unescapeRun(match[0])
    if (plain === null) continue
    name = match[0].startsWith('%') ? 'percent' : match[0].startsWith('&') ? 'entity' : 'escape'
    runs.push({ start: match.index, end: match.index + match[0].length, plain })
    letters += plain.match(/[a-zA-Z ]/g)?.length ?? 0
  }
  if (letters < ESCAPES_MIN) return []
  const writer = new LayerWriter(text.length)
  const at = (index: number) => (layer.origin === null ? index : (layer.origin[index] ?? 0))
  let copied = 0
  for (const { start, end, plain } of runs) {
    writer.copy(layer, copied, start)
    writer.push(plain, at(start), true)
    copied = end
  }
  writer.copy(layer, copied, text.length)
  const finished = writer.finish(at(text.length))
  if (finished.text.length > budget.length) return []
  budget.length -= finished.text.length
  return [{ ...finished, chain: [...layer.chain, name], hidden: layer.hidden }]
}

/** What a run of one kind of escape spells, or null where that is no text. */
export function unescapeRun(run: string): string | null {
  try {
    if (run.startsWith('%')) return readable(Buffer.from(run.replace(/%/g, ''), 'hex'))
    if (run.startsWith('&#')) {
      const code =
        run[2]?.toLowerCase() === 'x'
          ? Number.parseInt(run.slice(3, -1), 16)
          : Number(run.slice(2, -1))
      return String.fromCodePoint(code)
    }
    const codes = run.match(/[0-9a-fA-F]{2,6}/g) ?? []
    return codes.map((code) => String.fromCodePoint(Number.parseInt(code, 16))).join('')
  } catch {
    // A code point out of range is not text.
    return null
  }
}

function fromBase64(packed: string): string | null {
  const bytes = Buffer.from(packed, 'base64')
  if (bytes.length < 9) return null
  return readable(unpack(bytes))
}

function fromHex(packed: string): string | null {
  const digits = packed.replace(/0x|\\x|[ :]/g, '')
  return digits.length % 2 === 0 ? readable(unpack(Buffer.from(digits, 'hex'))) : null
}

function unpack(bytes: Buffer): Buffer {
  try {
    const limit = { maxOutputLength: 64 * 1024 }
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, limit)
    if (bytes[0] === 0x78 && (bytes[1] === 0x9c || bytes[1] === 0xda))
      return inflateSync(bytes, limit)
  } catch {
    // Not compressed after all, or larger than is worth reading.
  }
  return bytes
}

/** UTF-8 or UTF-16LE text with hardly anything unprintable in it, else null. */
function readable(bytes: Buffer): string | null {
  const wide = bytes.length >= 12 && bytes[1] === 0 && bytes[3] === 0 && bytes[5] === 0
  const text = bytes.toString(wide ? 'utf16le' : 'utf8')
  let odd = 0
  let plain = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13)) odd++
    else if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 32) plain++
  }
  return odd <= text.length / 20 && plain >= text.length * 0.3 ? text : null
}
