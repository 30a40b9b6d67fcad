import { NOTE_KINDS, noteName } from '@stoa/shared/texts/plain-text.js'
import type { Token } from 'markdown-it'

/** The first line of a quotation that its author marks as a note, such as `[!NOTE]`. */
const ALERT = new RegExp(String.raw`^\[!(${NOTE_KINDS})\][ \t]*(?:\n|$)`, 'i')

/** Shows the mark of such a note as a line of its own that names its kind. */
export function nameAlerts(tokens: readonly Token[], NewToken: typeof Token): void {
  for (const [at, quote] of tokens.entries()) {
    if (quote.type !== 'blockquote_open') continue
    const { content = '', children } = tokens[at + 2] ?? {}
    const kind = ALERT.exec(content)?.[1]
    const [first, lineEnd] = children ?? []
    if (!kind || first?.type !== 'text' || first.content.length !== kind.length + '[!]'.length) {
      continue
    }
    first.content = noteName(kind)
    if (lineEnd) lineEnd.type = 'hardbreak'
    const open = new NewToken('strong_open', 'strong', 1)
    const close = new NewToken('strong_close', 'strong', -1)
    children?.splice(0, 1, open, first, close)
  }
}
