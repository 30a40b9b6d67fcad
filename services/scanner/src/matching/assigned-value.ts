import { isAlphanumeric, UNDERSCORE } from '../ascii.ts'

const NAME_TAIL_MAX = 20
const NAME_END_MAX = 4
const VALUE_LENGTH_MAX = 200

type Range = { start: number; end: number }

/**
 * The values that may be assigned to a name that ends at `at`: `NAME_REST" := "value"` or
 * `NAME "value"`, and in `name: Type = "value"` also the value after the second name, type or
 * attribute. Reads at most a few hundred characters: the rest of the name, an operator, quotation
 * marks, the value up to its delimiter.
 */
export function assignedValues(text: string, at: number): Range[] {
  const name = skip(text, at, NAME_TAIL_MAX, isNamePart)
  // Quotation marks, blanks and a closing bracket may stand between the name and its operator.
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

/** The position of the quotation mark in `NAME "value"` or `NAME("value")`, or -1. */
function quoteAfter(text: string, at: number): number {
  const quote = text[at] === '(' ? at + 1 : at
  const blank = text[quote - 1] ?? ''
  return ' \t('.includes(blank) && '"\'`'.includes(text[quote] ?? 'none') ? quote : -1
}

/** A second name with its operator: a key in a section, a type, an attribute with the value. */
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
