const NAME_TAIL_MAX = 20
const VALUE_LENGTH_MAX = 200

/**
 * The value given to a name that ends at `at`: `NAME_REST" := "value"`. Reads at most a few hundred
 * characters: the rest of the name, an operator, quotation marks, the value up to its delimiter.
 */
export function assignedValue(text: string, at: number): { start: number; end: number } | null {
  let index = skip(text, at, NAME_TAIL_MAX, isNamePart)
  // The name's tail may itself contain nothing but blanks before a quote and the operator.
  index = skip(text, index, 3, isQuoteOrBlank)
  const operator = operatorEnd(text, index)
  if (operator === -1) return null
  const start = skip(text, operator, 5, isOpening)
  const end = skip(text, start, VALUE_LENGTH_MAX, isValuePart)
  if (end === start || !isDelimiter(text, end)) return null
  return { start, end }
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
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95
  )
}

function isQuoteOrBlank(code: number): boolean {
  return code === 34 || code === 39 || code === 32 || code === 9 || code === 10 || code === 13
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
  return '`\'" \t\r\n;,'.includes(char) || (char === '\\' && /[nr]/.test(text[at + 1] ?? ''))
}
