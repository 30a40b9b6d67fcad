import { fromMarkdown } from 'mdast-util-from-markdown'
import { MARK, type Marks, paint } from './markdown-marks.ts'

type Node = {
  type: string
  value?: string
  url?: string
  children?: Node[]
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined
}

/** Appended to a part, it becomes a paragraph of its own only if the part leaves no block open. */
const SENTINEL = 'x'

/**
 * Marks a text, or a part that ends in a blank line, as the CommonMark parser reads it. Returns
 * `open`, with nothing marked, if the part ends within a block that continues after it, and
 * `failed` if the parser throws: how much stack it needs is not in our hands.
 */
export function markByParser(
  text: string,
  marks: Marks,
  isLast = true,
): 'done' | 'open' | 'failed' {
  try {
    const root = fromMarkdown(isLast ? text : text + SENTINEL) as Node
    const end = root.children?.at(-1)?.position?.start.offset
    if (!isLast && end !== text.length) return 'open'
    const pending: Node[] = [root]
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      markNode(node, text, marks)
      for (const child of node.children ?? []) pending.push(child)
    }
    return 'done'
  } catch {
    return 'failed'
  }
}

function markNode(node: Node, text: string, marks: Marks): void {
  const start = node.position?.start.offset
  const end = node.position?.end.offset
  if (start === undefined || end === undefined) return
  if (node.type === 'code' || node.type === 'inlineCode') paint(marks, start, end, MARK.code)
  if (node.type === 'blockquote') paint(marks, start, end, MARK.quote)
  if (node.type === 'html') paint(marks, start, end, MARK.html | htmlBit(text, start))
  if ((node.type === 'link' || node.type === 'image') && node.url !== undefined) {
    const at = text.lastIndexOf(node.url, end - node.url.length)
    if (at >= start) paint(marks, at, at + node.url.length, MARK.url)
  }
}

function htmlBit(text: string, start: number): number {
  return text.startsWith('<!--', start) ? MARK.comment : 0
}
