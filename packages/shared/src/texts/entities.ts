/** The entities that occur in Markdown, of the two thousand that HTML has. */
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

/** By number only printable ASCII: no refused character may enter a text as an entity. */
const ENTITY = /&(?:([a-z]{2,6})|#0{0,4}(\d{2,3})|#x0{0,4}([\da-f]{2}));/gi

/** A text with its HTML entities replaced by what they stand for. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(ENTITY, (whole, name: string, decimal: string, hexadecimal: string) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = Number.parseInt(decimal ?? hexadecimal, decimal ? 10 : 16)
    return code > 32 && code < 127 ? String.fromCharCode(code) : whole
  })
}
