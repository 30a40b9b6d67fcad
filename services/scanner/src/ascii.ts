export const TAB = 9
export const NEWLINE = 10
export const SPACE = 32
export const EXCLAMATION = 33
export const AMPERSAND = 38
export const PAREN_OPEN = 40
export const PAREN_CLOSE = 41
export const STAR = 42
export const PLUS = 43
export const HYPHEN = 45
export const DOT = 46
export const SLASH = 47
export const LESS = 60
export const GREATER = 62
export const QUESTION = 63
export const BRACKET_OPEN = 91
export const BACKSLASH = 92
export const BRACKET_CLOSE = 93
export const UNDERSCORE = 95
export const BACKTICK = 96

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

export function isAlphanumeric(code: number): boolean {
  return isLetter(code) || isDigit(code)
}

/** A letter, a digit, `-` or `_`: what tokens are made of. */
export function isToken(code: number): boolean {
  return isAlphanumeric(code) || code === HYPHEN || code === UNDERSCORE
}
