import { withoutEntities } from '@stoa/shared/texts/entities.js'
import { escapeHtml, raw, type SafeHtml } from '../html.ts'

/**
 * Shows a search highlight: text that is already escaped, with <mark> around what matched. Nothing
 * is trusted: all text is escaped again, only these two tags stay, and they are balanced.
 */
export function highlight(marked: string): SafeHtml {
  let isOpen = false
  let text = ''
  for (const part of marked.split(/(<\/?mark>)/)) {
    if (part === '<mark>' || part === '</mark>') {
      const opens = part === '<mark>'
      if (opens !== isOpen) text += part
      isOpen = opens
    } else {
      // Unescaped once, so that escaping again does not show entities as text.
      text += escapeHtml(withoutEntities(part))
    }
  }
  return raw(isOpen ? `${text}</mark>` : text)
}
