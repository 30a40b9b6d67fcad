/**
 * A pattern whose spaces stand for any blanks, as those of keywords do: a phrase goes on over a line's end
 * and over the blanks that are left of markup.
 */
export function withAnyBlanks(pattern: string): string {
  let written = ''
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]
    if (char === '[') inClass = true
    if (char === ']') inClass = false
    if (char === '\\') written += pattern.slice(at, ++at + 1)
    else written += char === ' ' && !inClass ? '(?:\\s+)' : char
  }
  return written
}
