import type { MarkdownIt, StateInline } from 'markdown-it'
import { libraryRule } from './library-rule.ts'

/**
 * Leaves links that break off after their address or title as the text they were written as. Of
 * `[a](/b "c"x[d]` the library makes the link `[a][d]`, and drops the text between the two.
 */
export function keepTornLinks(markdown: MarkdownIt): void {
  const link = libraryRule(({ inline }) => inline.ruler, 'link')
  markdown.inline.ruler.at('link', (state, silent) => {
    // In a text that defines no reference, as in most, no name leads anywhere.
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

/** Whether the link ends with the name of another link, although its own address was begun. */
function isTorn(state: StateInline, end: number): boolean {
  const { md, src, pos } = state
  if (src[end - 1] !== ']') return false
  const textEnd = md.helpers.parseLinkLabel(state, pos, true)
  return end > textEnd + 1 && src[textEnd + 1] === '('
}
