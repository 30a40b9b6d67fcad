import type { MarkdownIt, StateInline } from 'markdown-it'
import { libraryRule } from './library-rule.ts'

/**
 * Leaves links that break off behind their address or title as the text they were written as. Of
 * `[a](/b "c"x[d]` the library makes the link `[a][d]`, and drops what stands between the two.
 */
export function keepTornLinks(markdown: MarkdownIt): void {
  const link = libraryRule(({ inline }) => inline.ruler, 'link')
  markdown.inline.ruler.at('link', (state, silent) => {
    // Where nothing is defined no name leads anywhere, and most texts define nothing.
    if (state.env.references === undefined) return link(state, silent)
    const start = state.pos
    if (!link(state, true)) return false
    const end = state.pos
    state.pos = start
    if (isTorn(state, end)) return false
    if (!silent) return link(state, false)
    state.pos = end
    return true
  })
}

/** Whether it ends with the name of another link, though its own address was begun. */
function isTorn(state: StateInline, end: number): boolean {
  const { md, src, pos } = state
  if (src[end - 1] !== ']') return false
  const textEnd = md.helpers.parseLinkLabel(state, pos, true)
  return end > textEnd + 1 && src[textEnd + 1] === '('
}
