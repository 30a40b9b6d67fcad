import { markByParser } from './commonmark.ts'
import {
  type MarkdownEffort,
  markdownSteps,
  newMarkdownEffort,
  PARSER_STEPS,
} from './markdown-cost.ts'
import { MARK, type Marks, paint } from './markdown-marks.ts'
import { boundaryFrom, type Part, PlainMarkdown } from './plain-markdown.ts'
import { splitMarkdown } from './split-markdown.ts'

const SPOKEN_LENGTH_MIN = 12
const SPOKEN_LENGTH_MAX = 12_000

/**
 * Marks every character of a Markdown text as prose, code, quote, comment, HTML or link target. The
 * CommonMark parser reads all but everyday Markdown, if its cost is bounded and within the steps
 * left for the item. For hostile or huge input a line splitter stands in, which is linear in the
 * text and never fails.
 */
export function parseMarkdown(text: string, effort: MarkdownEffort = newMarkdownEffort()): Marks {
  const marks = new Uint8Array(text.length)
  if (!/[`>~<[\]*_#-]|^(?: {4}| {0,3}\t)/m.test(text)) {
    markSpoken(text, marks)
    return marks
  }
  if (!Number.isFinite(markdownSteps(text))) splitMarkdown(text, marks)
  else markParts(text, marks, effort)
  markInfo(text, marks)
  markSpoken(text, marks)
  return marks
}

/** A possible link definition, which applies to the whole text from any part of it. */
const DEFINITION = /^[ \t>*+\-0-9.)]*\[(?:[^[\]\\]|\\.)*\]:/ms

function markParts(text: string, marks: Marks, effort: MarkdownEffort): void {
  const whole: Part = { start: 0, end: text.length }
  const plain = new PlainMarkdown(text, marks)
  let part = /^\ufeff|[\r\0]/.test(text) ? whole : plain.mark(0)
  if (part !== null && DEFINITION.test(text)) part = whole
  while (part !== null) {
    const end = markPart(text, part, marks, effort)
    part = end === text.length ? null : plain.mark(end)
  }
}

/** Marks a part and the blocks that it leaves open. Returns where the marked text ends. */
function markPart(text: string, part: Part, marks: Marks, effort: MarkdownEffort): number {
  const { start } = part
  let { end } = part
  for (;;) {
    const slice = text.slice(start, end)
    const steps = PARSER_STEPS + markdownSteps(slice)
    const isLast = end === text.length
    marks.fill(0, start, end)
    if (steps > effort.stepsLeft) break
    effort.stepsLeft -= steps
    const reading = markByParser(slice, marks.subarray(start, end), isLast)
    if (reading === 'done') return end
    if (reading === 'failed') break
    end = boundaryFrom(text, end + slice.length)
  }
  splitMarkdown(text.slice(start), marks.subarray(start))
  return text.length
}

const FENCES = ['```', '~~~']
/** The text that a line may hold before a fence, including the markers of quotes and list items. */
const BEFORE_FENCE = /^(?:[ \t>]|[-+*][ \t]|[0-9]{1,3}[.)][ \t]){0,12}$/

/** Marks the text after a fence's language, which is not code: no page shows it, agents read it. */
function markInfo(text: string, marks: Marks): void {
  for (const fence of FENCES) {
    let at = text.indexOf(fence)
    while (at !== -1) {
      const lineStart = text.lastIndexOf('\n', at) + 1
      const lineEnd = endOfLine(text, at)
      const isInCode = ((marks[lineStart - 1] ?? 0) & MARK.code) !== 0
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

/** Marks the info text of a fence line; `line.at` is just after the fence's first three signs. */
function markInfoOf(text: string, marks: Marks, line: { at: number; end: number }): void {
  const { end } = line
  let { at } = line
  const sign = text[at - 1]
  while (text[at] === sign) at++
  while (isBlank(text[at])) at++
  while (at < end && !isBlank(text[at])) at++
  // Inline code may begin with as many backticks; then its closing ones follow on this line.
  if (sign === '`' && text.slice(at, end).includes(sign)) return
  for (; at < end; at++) marks[at] = ((marks[at] ?? 0) & ~MARK.code) | MARK.info
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t'
}

/** Closing quotation marks by the opening ones; German and Polish differ in theirs. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '«': '»',
  '„': '“”',
  '「': '」',
  '『': '』',
}

/** Marks passages between quotation marks: someone else's words inside the writer's own. */
function markSpoken(text: string, marks: Marks): void {
  let open = -1
  let closing = ''
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? ''
    if (char === '\n' && text[index + 1] === '\n') open = -1
    if (open >= 0 && closing.includes(char)) {
      const length = index - open
      if (length >= SPOKEN_LENGTH_MIN && length <= SPOKEN_LENGTH_MAX) {
        paint(marks, open, index + 1, MARK.spoken)
      }
      open = -1
    } else if (open < 0) {
      closing = CLOSING[char] ?? ''
      if (closing !== '') open = index
    }
  }
}
