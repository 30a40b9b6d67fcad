import type { MarkdownIt, StateInline } from 'markdown-it'

const SCHEME_LENGTH_MAX = 'https'.length

/** A scheme that ends here and does not continue a word or a longer scheme. */
const SCHEME = /(?<![a-z0-9+.-])https?$/i

/**
 * Emphasis around an address. Without the lookbehind, a long run of asterisks would take seconds.
 */
const ASTERISKS_BEHIND = /(?<!\*)\*+$/

/**
 * Makes links of bare addresses. Replaces the library's two rules, which look again at each `://`
 * inside a refused address, so that a text full of those takes seconds. Here every address is
 * looked at once and whole, and a refused one stays the text it was written as.
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

/** The text rule stops at each colon, with the scheme before the colon pending. */
function schemeBefore({ src, pos, pending }: StateInline): string | null {
  if (!src.startsWith('://', pos)) return null
  // One character more shows whether the scheme continues a word or a longer scheme.
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
  // The name that the library gives such links.
  open.info = 'auto'
  state.push('text', '', 0).content = address
  state.push('link_close', 'a', -1)
}
