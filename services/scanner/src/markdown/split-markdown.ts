import { MARK, type Marks, paint } from './markdown-marks.ts'

const FENCE = /^(?: {0,3}|[ >]{0,9})(`{3,}|~{3,})/

/**
 * The fallback for text that the CommonMark parser must not or cannot read: marks fences, quotes,
 * inline code and comments line by line, in one pass. In doubt it leaves prose, which is never
 * excused.
 */
export function splitMarkdown(text: string, marks: Marks): void {
  let fence = ''
  let start = 0
  while (start <= text.length) {
    let end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    const head = text.slice(start, Math.min(end, start + 24))
    const opened = FENCE.exec(head)?.[1]?.slice(0, 3) ?? ''
    if (fence !== '') {
      paint(marks, start, end, MARK.code)
      if (opened === fence) fence = ''
    } else if (opened !== '') {
      fence = opened
      paint(marks, start, end, MARK.code)
    } else {
      if (/^ {0,3}>/.test(head)) paint(marks, start, end, MARK.quote)
      markInlineCode(text, marks, start, end)
    }
    start = end + 1
  }
  markComments(text, marks)
}

function markInlineCode(text: string, marks: Marks, start: number, end: number): void {
  let open = text.indexOf('`', start)
  while (open !== -1 && open < end) {
    const close = text.indexOf('`', open + 1)
    if (close === -1 || close >= end) return
    paint(marks, open, close + 1, MARK.code)
    open = text.indexOf('`', close + 1)
  }
}

function markComments(text: string, marks: Marks): void {
  let open = text.indexOf('<!--')
  while (open !== -1) {
    const close = text.indexOf('-->', open + 4)
    const end = close === -1 ? text.length : close + 3
    paint(marks, open, end, MARK.comment | MARK.html)
    open = close === -1 ? -1 : text.indexOf('<!--', end)
  }
}
