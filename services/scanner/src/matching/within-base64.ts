/** So many characters before it that are all of base64 are no path that leads to a token. */
const RUN = /^[A-Za-z0-9+/]{60}$/
const RUN_LENGTH = 60
/** Below a full line of a certificate or a mail, which has 64 or 76 characters. */
const WRAPPED =
  /(?:^|[^A-Za-z0-9+/])([A-Za-z0-9+/]{60,76})\r?\n[ \t]{0,8}(?:[A-Za-z0-9+/]{0,75}[+/])?$/
const WRAPPED_LENGTH = 164
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
/** Tokens that stand in a list of one a line begin alike. */
const PREFIX_LENGTH = 4

/**
 * Whether a token is but a stretch of longer base64, as of a certificate, a picture or a program: zeros are
 * written `AAAA` there, and tokens of some services begin so.
 */
export function isWithinBase64(text: string, start: number, end: number): boolean {
  if (!/[+/\s]/.test(text[start - 1] ?? '')) return false
  const token = text.slice(start, end)
  if (!BASE64.test(token)) return false
  const run = text.slice(Math.max(0, start - RUN_LENGTH), start)
  if (RUN.test(run)) return /[A-Z]/.test(run)
  const line = WRAPPED.exec(text.slice(Math.max(0, start - WRAPPED_LENGTH), start))?.[1]
  if (line === undefined || line.startsWith(token.slice(0, PREFIX_LENGTH))) return false
  // A digest is one line, and what stands below it is its own.
  return /[A-Z]/.test(line) && /[a-z]/.test(line)
}
