/** Start and end of an encoded run in a text. */
export type Run = [start: number, end: number]

const BASE64_MIN = 16
/** Kinds of base64 letters: lower case, upper case, digits and signs, and its two signs in URLs. */
const LOWER = 1
const UPPER = 2
const OTHER = 4
const OF_URLS = 8
const KINDS = new Uint8Array(128)
for (const [letters, kind] of [
  ['abcdefghijklmnopqrstuvwxyz', LOWER],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER],
  ['0123456789+/', OTHER],
  ['-_', OF_URLS],
] as const) {
  for (const letter of letters) KINDS[letter.charCodeAt(0)] = kind
}

/** The kind of the character at a place; 0 if it is none of base64. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  // A read beyond the table costs more than the rest of this function.
  return code < 128 ? (KINDS[code] as number) : 0
}

/**
 * Every run of at least BASE64_MIN base64 letters, with its padding. A run this long covers one
 * place in every BASE64_MIN, so only these places are checked.
 */
export function base64Runs(text: string): Run[] {
  const runs: Run[] = []
  for (let at = BASE64_MIN - 1; at < text.length; at += BASE64_MIN) {
    if (kindAt(text, at) === 0) continue
    let start = at
    while (start > 0 && kindAt(text, start - 1) !== 0) start--
    let end = at + 1
    while (end < text.length && kindAt(text, end) !== 0) end++
    at = end - (end % BASE64_MIN) - 1
    if (end - start < BASE64_MIN) continue
    if (text[end] === '=') end += text[end + 1] === '=' ? 2 : 1
    runs.push([start, end])
  }
  return runs
}

const WRAPPED_LINE_MIN = 16

/** Runs of two or more whole lines of base64, as mail and PEM tools wrap it, quoted or not. */
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
/** The fewest letters beside the longest piece, because one long piece is read by itself. */
const CUT_REST_MIN = 20
/** The longest gap: a blank, a quotation mark and a comma, or a line break with a list marker. */
const CUT_GAP_MAX = 12
/** A piece in lower case of this length is a word, because base64 hardly ever has one by chance. */
const WORD_LENGTH_MIN = 5

/**
 * Runs of base64 in pieces with small gaps. A run begins and ends with a piece that is not a word,
 * and continues over short words, because a short piece may look like a word.
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
    const head = pieceKindAt(text, at)
    if (head === 0) continue
    const first = at
    let rest = 0
    for (let kind = LOWER; kind !== 0; kind = ++at < text.length ? pieceKindAt(text, at) : 0) {
      rest |= kind
    }
    const length = at - first
    // All lower case, except perhaps the first letter.
    const isWord = head !== OTHER && rest === LOWER
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

/** The kind of a letter of a piece; the two URL signs count as gaps, because they may be cuts. */
function pieceKindAt(text: string, at: number): number {
  const kind = kindAt(text, at)
  return kind === OF_URLS ? 0 : kind
}

const HEX =
  /(?:0x|\\x)?[0-9a-fA-F]{2}(?:(?:[:\-._|/+]|\\x|[,;]?\s{0,4}(?:0x)?)[0-9a-fA-F]{2}){11,}[0-9a-fA-F]?/g
/** Character codes as `fromCharCode` and casts to characters take them, or in binary. */
const BYTES =
  /[01]{8}(?:\s?[01]{8}){11,}|[01]{7}(?:\s[01]{7}){11,}|[0-9]{2,3}(?:(?:[,;:\-._|/+]\s{0,4}|\s{1,4})[0-9]{2,3}){11,}/g

export function hexRuns(text: string): Run[] {
  return runsOf(text, HEX)
}

export function byteRuns(text: string): Run[] {
  return runsOf(text, BYTES)
}

function runsOf(text: string, pattern: RegExp): Run[] {
  return [...text.matchAll(pattern)].map(({ 0: run, index }) => [index, index + run.length])
}
