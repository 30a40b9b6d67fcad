import type { Token } from 'markdown-it'

/** The first line of a quotation that its author marks as a note, such as `[!NOTE]`. */
const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** Shows the mark of such a note as a line of its own that names its kind. */
export function nameAlerts(tokens: readonly Token[], NewToken: typeof Token): void {
  for (const [at, quote] of tokens.entries()) {
    if (quote.type !== 'blockquote_open') continue
    const { content = '', children } = tokens[at + 2] ?? {}
    const kind = ALERT.exec(content)?.[1]?.toLowerCase()
    const [first, lineEnd] = children ?? []
    if (!kind || first?.type !== 'text' || first.content.length !== kind.length + '[!]'.length) {
      continue
    }
    first.content = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
    if (lineEnd) lineEnd.type = 'hardbreak'
    const open = new NewToken('strong_open', 'strong', 1)
    const close = new NewToken('strong_close', 'strong', -1)
    children?.splice(0, 1, open, first, close)
  }
}
