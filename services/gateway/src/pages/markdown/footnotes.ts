import type { MarkdownIt, Token } from 'markdown-it'
import { libraryRule } from './library-rule.ts'

/** The mark at the beginning of a footnote, such as `[^1]: It was measured once.` */
const MARK = /^\[\^([^\s[\]]{1,100})\]:\s*/

/**
 * Makes each footnote a paragraph of its own at the place where it was written, with its label in
 * `info`. The library would take it for a link definition, or for a part of the sentence above.
 */
export function takeFootnotes(markdown: MarkdownIt): void {
  const paragraph = libraryRule(({ block }) => block.ruler, 'paragraph')
  markdown.block.ruler.before(
    'reference',
    'footnote',
    (state, startLine, endLine, silent) => {
      const line = state.getLines(startLine, startLine + 1, state.blkIndent, false).trim()
      const label = MARK.exec(line)?.[1]
      if (label === undefined) return false
      if (silent) return true
      const at = state.tokens.length
      paragraph(state, startLine, endLine, false)
      const [open, text] = state.tokens.slice(at)
      if (open) open.info = label
      if (text) text.content = text.content.replace(MARK, '')
      return true
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  )
}

/**
 * Puts the label of each footnote in front of it, and returns the footnotes by the fragments of the
 * links to them.
 */
export function nameFootnotes(
  tokens: readonly Token[],
  NewToken: typeof Token,
): Map<string, Token> {
  const footnotes = new Map<string, Token>()
  for (const [at, open] of tokens.entries()) {
    if (open.type !== 'paragraph_open' || open.info === '') continue
    const fragment = `^${open.info.toLowerCase()}`
    if (!footnotes.has(fragment)) footnotes.set(fragment, open)
    const name = new NewToken('text', '', 0)
    name.content = `[${open.info}] `
    tokens[at + 1]?.children?.unshift(name)
  }
  return footnotes
}
