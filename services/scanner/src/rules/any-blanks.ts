/**
 * A pattern whose spaces match any run of blanks, as spaces in keywords do: a phrase may continue
 * over the end of a line and over the blanks that replace markup.
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
