import { isAlphanumeric, UNDERSCORE } from '../ascii.ts'

const NAME_TAIL_MAX = 20
const NAME_END_MAX = 4
const VALUE_LENGTH_MAX = 200

type Range = { start: number; end: number }

/**
 * What may be given to a name that ends at `at`: `NAME_REST" := "value"`, `NAME "value"`, and where
 * a second name, a type or an attribute stands between, `name: Type = "value"`, what is given to
 * that. Reads at most a few hundred characters: the rest of the name, an operator, quotation marks,
 * the value up to its delimiter.
 */
export function assignedValues(text: string, at: number): Range[] {
  const name = skip(text, at, NAME_TAIL_MAX, isNamePart)
  // The name's tail may itself contain nothing but blanks before a quote and the operator.
  const index = skip(text, name, NAME_END_MAX, isNameEnd)
  const operator = operatorEnd(text, index)
  const from = operator === -1 ? quoteAfter(text, name) : operator
  const values = from === -1 ? [] : [valueAt(text, from)]
  const second = secondNameEnd(text, skip(text, Math.max(operator, index), 5, isOpening))
  if (second !== -1) values.push(valueAt(text, second))
  return values.filter((value) => value !== null)
}

function valueAt(text: string, from: number): Range | null {
  const start = skip(text, from, 5, isOpening)
  const end = skip(text, start, VALUE_LENGTH_MAX, isValuePart)
  return end === start || !isDelimiter(text, end) ? null : { start, end }
}

/** Where the quotation mark of `NAME "value"` or `NAME("value")` stands, -1 without one. */
function quoteAfter(text: string, at: number): number {
  const quote = text[at] === '(' ? at + 1 : at
  const blank = text[quote - 1] ?? ''
  return ' \t('.includes(blank) && '"\'`'.includes(text[quote] ?? 'none') ? quote : -1
}

/** A name with its operator: the key under a section, a type, the attribute that holds the value. */
const SECOND_NAME = /&?\w{2,24}["']?[ \t]{0,3}[:=]{1,2}>?/y

function secondNameEnd(text: string, at: number): number {
  SECOND_NAME.lastIndex = at
  return SECOND_NAME.test(text) ? SECOND_NAME.lastIndex : -1
}

function skip(text: string, from: number, max: number, accepts: (code: number) => boolean): number {
  let index = from
  while (index < text.length && index - from < max && accepts(text.charCodeAt(index))) index++
  return index
}

const OPERATORS = [':::=', '::=', ':=', '||:', '=>', '?=', '=', '>', ':', ',']

function operatorEnd(text: string, at: number): number {
  for (const operator of OPERATORS) if (text.startsWith(operator, at)) return at + operator.length
  return -1
}

function isNamePart(code: number): boolean {
  return isWord(code) || code === 45 || code === 46 || code === 32 || code === 9
}

function isWord(code: number): boolean {
  return isAlphanumeric(code) || code === UNDERSCORE
}

function isQuoteOrBlank(code: number): boolean {
  return code === 34 || code === 39 || code === 32 || code === 9 || code === 10 || code === 13
}

/** A bracket closes the name of a section or of an entry: `[acme]`, `env["ACME_KEY"]`. */
function isNameEnd(code: number): boolean {
  return isQuoteOrBlank(code) || code === 93
}

function isOpening(code: number): boolean {
  return isQuoteOrBlank(code) || code === 96 || code === 61
}

/** Anything a credential is made of; quotation marks, blanks and brackets end it. */
function isValuePart(code: number): boolean {
  return isWord(code) || '+/=-.~%:|@#!$&*^'.includes(String.fromCharCode(code))
}

function isDelimiter(text: string, at: number): boolean {
  if (at >= text.length) return true
  const char = text[at] ?? ''
  return '`\'" \t\r\n;,<'.includes(char) || (char === '\\' && /[nr]/.test(text[at + 1] ?? ''))
}
