/** A letter, a digit, `-` or `_`: what tokens are made of. */
export function isToken(code: number): boolean {
  return isAlphanumeric(code) || code === 45 || code === 95
}

export function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}
