import { escapeHtml, raw, type SafeHtml } from '../html.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&#96;': '`',
}

/**
 * Shows a search highlight: text that is already escaped, with <mark> around what matched. Nothing
 * is taken on trust: all text is escaped anew, only these two tags stay, and they are balanced.
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
      text += escapeHtml(decodeEntities(part))
    }
  }
  return raw(isOpen ? `${text}</mark>` : text)
}

/** Undoes one round of escaping, so that escaping again does not show entities as text. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|#x27|#96);/g, (entity) => ENTITIES[entity] ?? entity)
}
