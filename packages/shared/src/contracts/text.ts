import { z } from 'zod'
import type { FieldCode } from '../errors/errors.ts'
import { shorterThan } from '../errors/field-errors.ts'
import { ANY_SIGN } from '../texts/search-words.ts'
import { severalOf } from '../texts/several.ts'
import { urlOf } from '../texts/url-of.ts'

/**
 * C0 and C1 controls except tab and newline: they have no meaning in text and confuse terminals and
 * models. U+009B alone begins what U+001B [ does, and U+0085 ends a line.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is refused.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
/** Line separators and bidirectional overrides, which make a single line show as something else. */
const LINE_BREAKERS = /[\n\u2028\u2029\u202a-\u202e\u2066-\u2069]/
/** What renders as nothing: white space, what fonts leave out, and the blank Braille pattern. */
const INVISIBLE = /^[\s\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** A mark, which is drawn on the letter before it. */
const MARK = String.raw`[\p{M}--\p{Default_Ignorable_Code_Point}]`
/**
 * More marks than any language puts on a letter (UAX 15, D3). Normalising a letter takes the square
 * of their number: seconds for a body full of marks.
 */
const MARKS_MAX = 30
/** Begins only at the first mark, so that no mark is counted twice. */
const STACKED_MARKS = new RegExp(`(?<!${MARK})${MARK}{${MARKS_MAX + 1}}`, 'v')
export const STACKED = [
  'stacked_marks',
  `holds more than ${MARKS_MAX} marks on one letter`,
] as const

type Refuse = (code: FieldCode, message: string) => void

interface TextRules {
  min?: number
  singleLine?: boolean
}

/** Whether a string could be stored and shown as it is. */
function isCleanText(text: string): boolean {
  return text.isWellFormed() && !CONTROLS.test(text)
}

export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Whether more marks stand on one letter than any language has. */
export function stacksMarks(text: string): boolean {
  return STACKED_MARKS.test(text)
}

/** A string of `min` to `max` code points, NFC-normalised; `singleLine` is trimmed as well. */
function textSchema(max: number, { min = 0, singleLine = false }: TextRules) {
  return z
    .string()
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max })
    .transform((given, context) => {
      const refuse: Refuse = (code, message) => {
        context.issues.push({ code: 'custom', input: given, message, params: { code } })
      }
      return cleanText(given, max, { min, singleLine }, refuse)
    })
}

/** A text as it is stored. Texts that stack marks have to be refused before. */
export function normalText(given: string): string {
  return given.replaceAll('\r\n', '\n').normalize('NFC')
}

function cleanText(given: string, max: number, rules: TextRules, refuse: Refuse): string {
  if (!given.isWellFormed()) refuse('malformed_unicode', 'holds half of a surrogate pair')
  if (stacksMarks(given)) {
    refuse(...STACKED)
    return given
  }
  const text = normalText(given)
  const control = controlIn(text)
  if (control) refuse('control_character', `holds ${control}: ${LEAVE_OUT}`)
  const result = rules.singleLine ? text.trim() : text
  if (rules.singleLine && LINE_BREAKERS.test(result)) {
    refuse('line_break', 'must be one line without bidirectional controls')
  }
  checkLength(result, max, rules.min ?? 0, refuse)
  return result
}

export const LEAVE_OUT = 'leave it out or write it as text'

/** Names the first control character in a text and its place, because the writer cannot see it. */
export function controlIn(text: string): string | undefined {
  const { 0: character = '', index = 0 } = CONTROLS.exec(text) ?? {}
  if (character === '') return undefined
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return `the control character U+${code} at index ${codePoints(text.slice(0, index))}`
}

function checkLength(text: string, max: number, min: number, refuse: Refuse): void {
  const length = codePoints(text)
  if (length > max) refuse('too_long', `is longer than ${max} characters: it has ${length}`)
  if (length < min) refuse('too_short', shorterThan(min))
  else if (min > 0 && INVISIBLE.test(text)) refuse('blank', 'has no visible character')
}

/** Text of several lines: Markdown, notes. */
export function text(max: number, min = 0) {
  return textSchema(max, { min })
}

/** Text that may be left out: a text that shows nothing counts as none. */
export function textOrNone(max: number) {
  return text(max).transform((given) => (INVISIBLE.test(given) ? '' : given))
}

/** Text of one line: titles, names. */
export function line(max: number, min = 0) {
  return textSchema(max, { min, singleLine: true })
}

export const TITLE_LENGTH_MAX = 200
/** The title of a post, a community or a suggestion. */
export const Title = line(TITLE_LENGTH_MAX, 3)

/** Sequences that set colours in terminals (ECMA-48), and titles of their windows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with the escape character.
const ESCAPE_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g
const BETWEEN_WORDS = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/**
 * One line of text that may be copied from anywhere, a terminal for example: cut at `max`
 * characters, and empty if it has nothing but punctuation.
 */
export function pasted(max: number) {
  return z
    .string()
    .transform((given) => {
      const words = given.replaceAll(ESCAPE_SEQUENCES, '').replaceAll(BETWEEN_WORDS, ' ')
      const text = words.normalize('NFC').trim()
      if (!ANY_SIGN.test(text)) return ''
      return text.length > max ? [...text].slice(0, max).join('') : text
    })
    .pipe(line(max))
}

/**
 * A name of one form. The commonest slips, such as capitals and spaces, are mended, not refused.
 */
export function mended(mend: (given: string) => string, form: RegExp, problem: string) {
  return z
    .string()
    .transform(mend)
    .pipe(z.string().regex(form, problem))
    .meta({ pattern: form.source })
}

/** A text by which something is looked up as it is, such as a part of a path. */
export function lookup(max: number) {
  return z
    .string()
    .max(max)
    .refine(isCleanText, {
      message: 'holds a control character',
      params: { code: 'control_character' satisfies FieldCode },
    })
}

export const URL_LENGTH_MAX = 2_000

/**
 * An http(s) address without user information; the empty string means none. Browsers take a
 * backslash for a slash and accept missing slashes; other readers would find another host in such
 * an address.
 */
export const webUrl = line(URL_LENGTH_MAX)
  .refine((value) => value === '' || isWebUrl(value), {
    message:
      'is not an http:// or https:// address without user information, spaces or backslashes',
    params: { code: 'invalid_url' satisfies FieldCode },
  })
  .meta({ pattern: '^(https?://\\S+)?$', maxLength: URL_LENGTH_MAX })

/**
 * A host name has at most 253 characters (RFC 1035), and here a port. Reading a name in another
 * script takes the square of its length: a page of addresses with 2,000 letters before the path
 * took a third of a second.
 */
const WEB_URL = /^https?:\/\/[^\s/\\?#]{1,259}(?:[/?#][^\s\\]*)?$/i

function isWebUrl(value: string): boolean {
  const url = WEB_URL.test(value) ? urlOf(value) : null
  return url !== null && url.username === '' && url.password === ''
}

const TIMESTAMP =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+\- ]\d{2}(?::?\d{2})?)?)?$/i

/** Beyond these years ISO 8601 needs more than four digits, and PostgreSQL has no year 0. */
const TIME_MIN = Date.parse('0001-01-01T00:00:00.000Z')
export const TIME_MAX = Date.parse('9999-12-31T23:59:59.999Z')

/** An ISO 8601 timestamp with any offset, normalised to UTC with milliseconds. */
export const timestamp = z
  .string()
  .meta({ format: 'date-time' })
  .transform((given, context) => {
    const isTime = TIMESTAMP.test(given) && isDay(given.slice(0, 10))
    const time = isTime ? Date.parse(withOffset(given)) : Number.NaN
    if (!(time >= TIME_MIN && time <= TIME_MAX)) {
      context.issues.push({
        code: 'custom',
        input: given,
        message: 'is not an ISO 8601 timestamp such as 2026-01-31T12:00:00.000Z',
        params: { code: 'invalid_timestamp' satisfies FieldCode },
      })
      return z.NEVER
    }
    return new Date(time).toISOString()
  })

/** `Date.parse` takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/**
 * In a query string an unescaped `+` arrives as a space; a missing offset means UTC. `Date.parse`
 * does not know offsets of hours alone, as PostgreSQL writes them.
 */
function withOffset(given: string): string {
  const text = given
    .replace(/(:\d{2}(?:\.\d+)?) (\d{2}(?::?\d{2})?)$/, '$1+$2')
    .replace(/(:\d{2}(?:\.\d+)?[+-]\d{2})$/, '$1:00')
    .replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T')
  return /T/i.test(text) && !/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? `${text}Z` : text
}

export const date = z.iso.date({ error: 'is not a day such as 2026-01-31', abort: true })

export const ANY_OF = 'Several values, repeated or separated by commas, mean any of them.'

/**
 * A value or several, repeated or separated by commas: `kind=result,claim` or `kind=a&kind=b`.
 * Commas alone name nothing, and mean the same as leaving the parameter out.
 */
export function anyOf<Item extends z.ZodType<string, string>>(item: Item, max = 20) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => {
      const values = severalOf(given)
      return values.length > 0 ? values : undefined
    })
    .pipe(z.array(item).max(max).optional())
    .meta({ description: ANY_OF })
}

/** A whole number that may arrive as text, held to `max` from above and refused below `min`. */
export function clampedNumber(min: number, max: number, fallback: number) {
  return clamped(min, max).default(fallback).meta({ type: 'integer', minimum: min, maximum: max })
}

/** The same for a parameter that means something of its own when it is left out. */
export function optionalClampedNumber(min: number, max: number) {
  return clamped(min, max).optional().meta({ type: 'integer', minimum: min, maximum: max })
}

const SAFE_MAX = Number.MAX_SAFE_INTEGER

function clamped(min: number, max: number) {
  return z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d+$/, 'is not a whole number')
        .transform((digits) => Math.max(-SAFE_MAX, Math.min(Number(digits), SAFE_MAX))),
    ])
    .pipe(
      z
        .number()
        .int()
        .min(min)
        .transform((value) => Math.min(value, max)),
    )
}
