/** Those that are met in Markdown, of the two thousand that HTML has. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  times: '×',
  rarr: '→',
  larr: '←',
}

/** By number printable ASCII alone: nothing may enter a text that way which is refused in one. */
const ENTITY = /&(?:([a-z]{2,6})|#0{0,4}(\d{2,3})|#x0{0,4}([\da-f]{2}));/gi

/** A text with what its HTML entities stand for. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(ENTITY, (whole, name: string, decimal: string, hexadecimal: string) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = Number.parseInt(decimal ?? hexadecimal, decimal ? 10 : 16)
    return code > 32 && code < 127 ? String.fromCharCode(code) : whole
  })
}
