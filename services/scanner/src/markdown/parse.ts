import { fromMarkdown } from 'mdast-util-from-markdown'
import { type MarkdownEffort, markdownSteps, newMarkdownEffort } from './markdown-cost.ts'
import { MARK, type Marks, paint } from './markdown-marks.ts'
import { markPlainMarkdown } from './plain-markdown.ts'
import { splitMarkdown } from './split-markdown.ts'

type Node = {
  type: string
  value?: string
  url?: string
  children?: Node[]
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined
}

const SPOKEN_LENGTH_MIN = 12
const SPOKEN_LENGTH_MAX = 12_000

/**
 * Marks every character of a Markdown text as prose, code, quote, comment, HTML or link target.
 * The CommonMark parser is used where its cost is bounded and within what is left for the item; a line
 * splitter, linear in the text and never failing, stands in for hostile or huge input.
 */
export function parseMarkdown(text: string, effort: MarkdownEffort = newMarkdownEffort()): Marks {
  const marks = new Uint8Array(text.length)
  if (!/[`>~<[\]*_#-]|\n {4}|\n\t/.test(text)) {
    markSpoken(text, marks)
    return marks
  }
  const steps = markdownSteps(text)
  if (!Number.isFinite(steps)) splitMarkdown(text, marks)
  else if (!markPlainMarkdown(text, marks)) {
    if (steps <= effort.stepsLeft) {
      effort.stepsLeft -= steps
      markByParser(text, marks)
    } else {
      marks.fill(0)
      splitMarkdown(text, marks)
    }
  }
  markInfo(text, marks)
  markSpoken(text, marks)
  return marks
}

const FENCES = ['```', '~~~']
/** What a line may hold before its fence, in quotes and list items too. */
const BEFORE_FENCE = /^(?:[ \t>]|[-+*][ \t]|[0-9]{1,3}[.)][ \t]){0,12}$/

/** What stands behind the language of a fence is no code: no page shows it, and agents read it. */
function markInfo(text: string, marks: Marks): void {
  for (const fence of FENCES) {
    let at = text.indexOf(fence)
    while (at !== -1) {
      const lineStart = text.lastIndexOf('\n', at) + 1
      const lineEnd = endOfLine(text, at)
      const isInCode = lineStart > 0 && ((marks[lineStart - 1] ?? 0) & MARK.code) !== 0
      if (!isInCode && BEFORE_FENCE.test(text.slice(lineStart, at))) {
        markInfoOf(text, marks, { at: at + fence.length, end: lineEnd })
      }
      at = text.indexOf(fence, lineEnd)
    }
  }
}

function endOfLine(text: string, at: number): number {
  const found = text.indexOf('\n', at)
  return found === -1 ? text.length : found
}

/** From behind the first signs of a fence to the end of its line. */
function markInfoOf(text: string, marks: Marks, line: { at: number; end: number }): void {
  const { end } = line
  let { at } = line
  const sign = text[at - 1]
  while (text[at] === sign) at++
  while (isBlank(text[at])) at++
  while (at < end && !isBlank(text[at])) at++
  // Code within a line may be set between as many, and then is followed by text.
  if (sign === '`' && text.slice(at, end).includes(sign)) return
  for (; at < end; at++) marks[at] = ((marks[at] ?? 0) & ~MARK.code) | MARK.info
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t'
}

/** Starts over with the CommonMark parser, or with the line splitter where that gives up. */
export function markByParser(text: string, marks: Marks): void {
  marks.fill(0)
  try {
    const pending: Node[] = [fromMarkdown(text) as Node]
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      markNode(node, text, marks)
      for (const child of node.children ?? []) pending.push(child)
    }
  } catch {
    // The parser's stack is its own; what it cannot read, the splitter reads.
    marks.fill(0)
    splitMarkdown(text, marks)
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

/** Marks passages between quotation marks: someone else's words inside the writer's own. */
function markSpoken(text: string, marks: Marks): void {
  let open = -1
  let closing = ''
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? ''
    if (char === '\n' && text[index + 1] === '\n') open = -1
    if (open >= 0 && char === closing) {
      const length = index - open
      if (length >= SPOKEN_LENGTH_MIN && length <= SPOKEN_LENGTH_MAX) {
        paint(marks, open, index + 1, MARK.spoken)
      }
      open = -1
    } else if (open < 0 && (char === '"' || char === '“' || char === '«')) {
      open = index
      closing = char === '"' ? '"' : char === '“' ? '”' : '»'
    }
  }
}
