import type { MarkdownIt, StateInline } from 'markdown-it'

const SCHEME_LENGTH_MAX = 'https'.length

/** A scheme that ends here and does not continue a word or a longer scheme. */
const SCHEME = /(?<![a-z0-9+.-])https?$/i

/** Emphasis around an address. Looked for within each run of asterisks, a long one would take seconds. */
const ASTERISKS_BEHIND = /(?<!\*)\*+$/

/**
 * Makes links of addresses written bare. It stands in for the library's two rules, which look again
 * at each `://` inside an address that was refused: a text of those took seconds. Here every address
 * is looked at once and whole, and a refused one stays the text it was written as.
 */
export function linkBareAddresses(markdown: MarkdownIt, lengthMax: number): void {
  markdown.linkify.set({ urlAuth: true, maxLength: lengthMax })
  markdown.inline.ruler.at('linkify', (state, silent) => {
    const scheme = silent || state.linkLevel > 0 ? null : schemeBefore(state)
    if (scheme === null) return false
    const length = markdown.linkify.testSchemaAt(state.src, `${scheme}:`, state.pos + 1)
    if (length === 0) return false

    const start = state.pos - scheme.length
    const address = state.src.slice(start, state.pos + 1 + length).replace(ASTERISKS_BEHIND, '')
    const href = markdown.normalizeLink(address)
    if (markdown.validateLink(href)) pushLink(state, scheme, { href, address })
    else state.pending += address.slice(scheme.length)
    state.pos = start + address.length
    return true
  })
}

/** The text rule stops at each colon and has the scheme before it pending. */
function schemeBefore({ src, pos, pending }: StateInline): string | null {
  if (!src.startsWith('://', pos)) return null
  // One character more shows what the scheme continues.
  const before = src.slice(Math.max(0, pos - SCHEME_LENGTH_MAX - 1), pos)
  const scheme = SCHEME.exec(before)?.[0]
  return scheme !== undefined && pending.length >= scheme.length ? scheme : null
}

function pushLink(
  state: StateInline,
  scheme: string,
  { href, address }: { href: string; address: string },
): void {
  state.pending = state.pending.slice(0, -scheme.length)
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', href]]
  // As the library calls it.
  open.info = 'auto'
  state.push('text', '', 0).content = address
  state.push('link_close', 'a', -1)
}
