/** Where in a text something is encoded: start and end. */
export type Run = [start: number, end: number]

const BASE64_MIN = 16
/** 1 for the letters of base64 and of its form for URLs. */
const BASE64_LETTERS = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  BASE64_LETTERS[code] = /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0
}

/**
 * Every run of BASE64_MIN letters of base64 or more, with the padding behind it. One so long covers
 * a place divisible by its least length, so only those are looked at.
 */
export function base64Runs(text: string): Run[] {
  const runs: Run[] = []
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

const WRAPPED_LINE_MIN = 16

/** Runs of two or more whole lines of base64, as mail and PEM tools wrap it, or quotations of those. */
export function wrappedRuns(text: string): Run[] {
  const runs: Run[] = []
  let runStart = -1
  let lines = 0
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    const line = text.slice(start, Math.min(end, start + 200)).trim()
    const packed = end - start <= 200 && /^(?:> ?)*[A-Za-z0-9+/]+={0,2}$/.test(line)
    if (packed && (lines > 0 || line.length >= WRAPPED_LINE_MIN)) {
      if (lines === 0) runStart = start
      lines++
    }
    if (!packed || end >= text.length - 1) {
      if (lines > 1) runs.push([runStart, packed ? end : start])
      lines = 0
    }
    start = end + 1
  }
  return runs
}

const CUT_LETTERS_MIN = 24
/** One long piece is read by itself: so many letters have to stand beside it. */
const CUT_REST_MIN = 20
/** Between two pieces: a space, a quotation mark and a comma, a line with the marker of a list. */
const CUT_GAP_MAX = 12
/** Lower case for so long is hardly ever the work of chance. */
const WORD_LENGTH_MIN = 5

/**
 * Base64 in pieces with little between them. It begins and ends with what is no word, and goes on
 * over short words, which a short piece may look like.
 */
export function cutRuns(text: string): Run[] {
  const runs: Run[] = []
  let [start, end, letters, longest, before] = [0, 0, 0, 0, 0]
  const close = () => {
    if (letters >= CUT_LETTERS_MIN && letters - longest >= CUT_REST_MIN) runs.push([start, end])
    letters = 0
    longest = 0
  }
  for (let at = 0; at < text.length; at++) {
    if (!isStandard(text, at)) continue
    const first = at
    while (isStandard(text, at)) at++
    const length = at - first
    const isWord = isPlainWord(text, first, at)
    const isLong = longest >= BASE64_MIN
    const isApart = isWord ? isLong || length >= WORD_LENGTH_MIN : isLong && text[before] === '='
    if (isApart || first - before > CUT_GAP_MAX) close()
    before = at
    if (isWord) continue
    if (letters === 0) start = first
    letters += length
    longest = Math.max(longest, length)
    end = at
  }
  close()
  return runs
}

/** The two signs of the form for URLs may as well be where it was cut. */
function isStandard(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return BASE64_LETTERS[code] === 1 && code !== 45 && code !== 95
}

/** Lower case, but for its first letter. */
function isPlainWord(text: string, start: number, end: number): boolean {
  if (!isLowerLetter(text.charCodeAt(start) | 32)) return false
  for (let at = start + 1; at < end; at++) if (!isLowerLetter(text.charCodeAt(at))) return false
  return true
}

function isLowerLetter(code: number): boolean {
  return code >= 97 && code <= 122
}

const HEX =
  /(?:0x|\\x)?[0-9a-fA-F]{2}(?:(?:[:-]|\\x|[,;]?\s{0,4}(?:0x)?)[0-9a-fA-F]{2}){11,}[0-9a-fA-F]?/g
/** Codes of characters, as `fromCharCode` and casts to characters take them, or bit by bit. */
const BYTES = /[01]{8}(?:\s?[01]{8}){11,}|[0-9]{2,3}(?:(?:[,;]\s{0,4}|\s{1,4})[0-9]{2,3}){11,}/g

export function hexRuns(text: string): Run[] {
  return runsOf(text, HEX)
}

export function byteRuns(text: string): Run[] {
  return runsOf(text, BYTES)
}

function runsOf(text: string, pattern: RegExp): Run[] {
  return [...text.matchAll(pattern)].map(({ 0: run, index }) => [index, index + run.length])
}
