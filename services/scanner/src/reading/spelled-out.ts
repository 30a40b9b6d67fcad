import type { Run } from './encoded-runs.ts'
import { readable } from './readable.ts'

/** A shorter series is an example, or chance. */
const SERIES_MIN = 8

/** Runs of many matches of `unit` with nothing but allowed gaps between them. */
function seriesOf(text: string, unit: RegExp, isGap: (gap: string) => boolean): Run[] {
  const runs: Run[] = []
  let [start, end, count] = [0, 0, 0]
  const close = () => {
    if (count >= SERIES_MIN) runs.push([start, end])
    count = 0
  }
  for (const { 0: found, index } of text.matchAll(unit)) {
    if (count > 0 && !isGap(text.slice(end, index))) close()
    if (count === 0) start = index
    end = index + found.length
    count++
  }
  close()
  return runs
}

/** A call that makes a character from its code: `chr(105)`, `[char]0x69`, `fromCharCode(105)`. */
const CALL = /ch(?:a?r)(?:code|w)?[([\])\s]{1,3}(?:0x[0-9a-f]{2}|[0-9]{2,3})/gi
/** Enough for `) + String.from`, the longest gap between two calls. */
const CALL_GAP_MAX = 20

/** Runs of characters that are put together one call at a time. */
export function callRuns(text: string): Run[] {
  return seriesOf(text, CALL, (gap) => gap.length <= CALL_GAP_MAX)
}

export function fromCalls(written: string): string[] {
  const calls = written.match(CALL) ?? []
  return fromCodes(calls.map((call) => Number(/(?:0x)?[0-9a-f]{2,3}$/i.exec(call)?.[0])))
}

const MORSE_SIGN = /[.\-·•−–—]{1,6}/g
const MORSE_GAP = /^[ /|\n]{1,3}$/
/** Morse letters as a binary tree: from place n a dot leads to 2n + 1 and a dash to 2n + 2. */
const MORSE_LETTERS = ' etianmsurwdkgohvf?l?pjbxcyzq'

/** The fewest different letters: table rules and dot leaders spell one letter over and over. */
const MORSE_KINDS_MIN = 6

export function morseRuns(text: string): Run[] {
  return seriesOf(text, MORSE_SIGN, (gap) => MORSE_GAP.test(gap))
}

/** The spelled text, with a blank for each sign that is no letter; none if few letters differ. */
export function fromMorse(written: string): string[] {
  const signs = written.split(/([ /|\n]{1,3})/)
  const letters = signs.map((sign, at) => (at % 2 === 0 ? letterOfMorse(sign) : betweenSigns(sign)))
  const text = letters.join('')
  return new Set(text).size < MORSE_KINDS_MIN ? [] : [text]
}

function letterOfMorse(sign: string): string {
  let place = 0
  for (const mark of sign) place = 2 * place + (/[.·•]/.test(mark) ? 1 : 2)
  return MORSE_LETTERS[place] ?? ' '
}

function betweenSigns(gap: string): string {
  return gap.length === 1 && !/[/|]/.test(gap) ? '' : ' '
}

const BASE32 = /[A-Za-z2-7]{24,}/g

/** Runs of base32 in letters of one case. */
export function base32Runs(text: string): Run[] {
  return [...text.matchAll(BASE32)]
    .filter(({ 0: run }) => run === run.toUpperCase() || run === run.toLowerCase())
    .map(({ 0: run, index }) => [index, index + run.length])
}

export function fromBase32(letters: string): string[] {
  const text = readable(bytesOfBase32(letters))
  return text === null ? [] : [text]
}

function bytesOfBase32(letters: string): Buffer {
  const bytes = Buffer.alloc((letters.length * 5) >> 3)
  let [bits, held, length] = [0, 0, 0]
  for (const letter of letters.toUpperCase()) {
    const value = letter >= 'A' ? letter.charCodeAt(0) - 65 : letter.charCodeAt(0) - 24
    bits = ((bits << 5) | value) & 0xfff
    held += 5
    if (held < 8) continue
    held -= 8
    bytes[length++] = bits >> held
  }
  return bytes
}

/** The text of bytes in binary (seven or eight digits), decimal, or octal (two or three digits). */
export function fromBytes(written: string): string[] {
  const numbers = written.match(/[01]{7,8}|[0-9]+/g) ?? []
  const spelled = fromCodes(numbers.map((number) => Number.parseInt(number, radixOf(number))))
  if (spelled.length > 0 || !numbers.every((number) => /^[0-3]?[0-7]{2}$/.test(number)))
    return spelled
  return fromCodes(numbers.map((number) => Number.parseInt(number, 8)))
}

function radixOf(number: string): number {
  return number.length > 3 ? 2 : 10
}

function fromCodes(codes: number[]): string[] {
  if (codes.some((code) => code > 255)) return []
  const text = readable(Buffer.from(codes))
  return text === null ? [] : [text]
}
