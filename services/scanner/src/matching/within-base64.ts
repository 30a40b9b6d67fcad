/** This many base64 characters in a row before a token are not a path that leads to it. */
const RUN = /^[A-Za-z0-9+/]{60}$/
const RUN_LENGTH = 60
/** A full base64 line above the token, as in a certificate (64 characters) or a mail (76). */
const WRAPPED =
  /(?:^|[^A-Za-z0-9+/])([A-Za-z0-9+/]{60,76})\r?\n[ \t]{0,8}(?:[A-Za-z0-9+/]{0,75}[+/])?$/
const WRAPPED_LENGTH = 164
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
/** In a list with one token per line, the tokens share a prefix of this length. */
const PREFIX_LENGTH = 4

/**
 * Whether a token is only a stretch of longer base64, as of a certificate, a picture or a program:
 * zeros become `AAAA` there, and tokens of some services begin with it.
 */
export function isWithinBase64(text: string, start: number, end: number): boolean {
  if (!/[+/\s]/.test(text[start - 1] ?? '')) return false
  const token = text.slice(start, end)
  if (!BASE64.test(token)) return false
  const run = text.slice(Math.max(0, start - RUN_LENGTH), start)
  if (RUN.test(run)) return /[A-Z]/.test(run)
  const line = WRAPPED.exec(text.slice(Math.max(0, start - WRAPPED_LENGTH), start))?.[1]
  if (line === undefined || line.startsWith(token.slice(0, PREFIX_LENGTH))) return false
  // A line without letters of both cases is a digest, which does not continue on the next line.
  return /[A-Z]/.test(line) && /[a-z]/.test(line)
}
