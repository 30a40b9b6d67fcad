import {
  BACKTICK,
  DOT,
  GREATER,
  HYPHEN,
  isDigit,
  isLetter,
  PAREN_CLOSE,
  PLUS,
  SPACE,
  STAR,
  TAB,
} from '../ascii.ts'
import { MARK, type Marks, paint } from './markdown-marks.ts'
import { PlainInline } from './plain-inline.ts'

/** A stretch of a text between two places where no list, quote or paragraph is open. */
export type Part = { start: number; end: number }

/** A blank line before unindented text: it ends all blocks but an open fence or HTML block. */
const BOUNDARY = /\n[ \t]*\n[^ \t\n]/g

/** The next boundary at or after `at`, or the end of the text. */
export function boundaryFrom(text: string, at: number): number {
  BOUNDARY.lastIndex = Math.max(0, at - 1)
  return BOUNDARY.test(text) ? BOUNDARY.lastIndex - 1 : text.length
}

/** Where the text of a line begins after its list marker, and the kind of the line. */
type Line = { content: number; kind: 'text' | 'item' | 'other' }

/**
 * Marks everyday Markdown in one pass and exactly as the CommonMark parser would: paragraphs, flat
 * lists, headings, fences, block quotes, inline code and inline links.
 */
export class PlainMarkdown {
  private readonly text: string
  private readonly marks: Marks
  private readonly inline: PlainInline
  /** Start of the paragraph being gathered, or -1; inline code may cross its line ends. */
  private from = -1
  /** Whether a line that begins like text is sure to continue that paragraph. */
  private open = false

  constructor(text: string, marks: Marks) {
    this.text = text
    this.marks = marks
    this.inline = new PlainInline(text, marks)
  }

  /**
   * Reads from a boundary to the end of the text. Returns null when all is read. Otherwise returns
   * the smallest part with a construct that needs the full parser; its marks are undefined, and a
   * fence or HTML block that begins in it may continue after it.
   */
  mark(start: number): Part | null {
    this.from = -1
    this.open = false
    return this.readLines(start)
  }

  private readLines(first: number): Part | null {
    const { text } = this
    let start = first
    let boundary = first
    let isBlank = false
    while (start < text.length) {
      const end = this.lineEnd(start)
      const content = this.skipIndent(start, end)
      if (isBlank && content === start && content < end) boundary = start
      isBlank = content === end
      const next = this.readLineAt(start, content, end)
      if (next === -1) return { start: boundary, end: boundaryFrom(text, start) }
      start = next + 1
    }
    return this.close(text.length) ? null : { start: boundary, end: text.length }
  }

  /** The end of the block that begins on a line, or -1 if this reader cannot read it. */
  private readLineAt(start: number, content: number, end: number): number {
    if (content === end) return this.close(start) ? end : -1
    if (!this.open && this.isDeep(start, content)) return -1
    if (this.isFence(content)) {
      return content > start || !this.close(start) ? -1 : this.markFence(start, end)
    }
    if (this.text.charCodeAt(content) === GREATER) {
      return content > start || !this.close(start) ? -1 : this.markQuote(start)
    }
    return this.takeLine(start, content, end) ? end : -1
  }

  private takeLine(start: number, content: number, end: number): boolean {
    const line = this.readLine(content, end)
    if (line === null) return false
    if (this.open && line.kind === 'text') return true
    if (!this.close(start)) return false
    this.from = line.content
    this.open = line.kind !== 'other'
    return true
  }

  /** Ends the paragraph before `end`; false if this reader cannot read its inline markup. */
  private close(end: number): boolean {
    const { from } = this
    this.from = -1
    this.open = false
    return from === -1 || this.inline.mark(from, end)
  }

  private lineEnd(start: number): number {
    const end = this.text.indexOf('\n', start)
    return end === -1 ? this.text.length : end
  }

  private skipSpaces(start: number, end: number): number {
    let index = start
    while (index < end && this.text.charCodeAt(index) === SPACE) index++
    return index
  }

  /** Whether the indent may make this line indented code, unless it continues a paragraph. */
  private isDeep(start: number, content: number): boolean {
    return content - start > 3 || this.skipSpaces(start, content) < content
  }

  /** Skips spaces and tabs. */
  private skipIndent(start: number, end: number): number {
    let index = start
    while (index < end && isIndent(this.text.charCodeAt(index))) index++
    return index
  }

  private isFence(at: number): boolean {
    return this.text.startsWith('```', at) || this.text.startsWith('~~~', at)
  }

  /** Null if the line opens a nested block. */
  private readLine(content: number, end: number): Line | null {
    const marker = this.markerEnd(content, end)
    if (marker === -1) return { content, kind: this.isText(content) ? 'text' : 'other' }
    const inner = this.skipSpaces(marker, end)
    if (inner === end) return { content: inner, kind: 'other' }
    const first = this.text.charCodeAt(inner)
    const nested = first === GREATER || first === TAB || this.isFence(inner)
    if (nested || inner - marker > 4 || this.markerEnd(inner, end) !== -1) return null
    return { content: inner, kind: this.isText(inner) ? 'item' : 'other' }
  }

  /** Where a list marker at `at` ends, or -1 if there is none. */
  private markerEnd(at: number, end: number): number {
    const { text } = this
    let index = at
    const code = text.charCodeAt(index)
    if (code === HYPHEN || code === STAR || code === PLUS) {
      index++
    } else {
      while (index < end && isDigit(text.charCodeAt(index))) index++
      const closer = text.charCodeAt(index)
      if (index === at || (closer !== DOT && closer !== PAREN_CLOSE)) return -1
      index++
    }
    const after = text.charCodeAt(index)
    return index >= end || after === SPACE || after === TAB ? index : -1
  }

  /** Whether a line that begins with this character is text, whatever stands before the line. */
  private isText(at: number): boolean {
    const code = this.text.charCodeAt(at)
    if (code > 127 || isLetter(code) || isDigit(code)) return true
    if (code === STAR) return /^\*\*?[A-Za-z`]/.test(this.text.slice(at, at + 3))
    return TEXT_OPENERS.includes(String.fromCharCode(code))
  }

  /** Marks a fenced block; returns its end, or -1 if it cannot be read. */
  private markFence(start: number, openEnd: number): number {
    const { text } = this
    const mark = text.charCodeAt(start)
    let width = 3
    while (text.charCodeAt(start + width) === mark) width++
    if (mark === BACKTICK && text.slice(start + width, openEnd).includes('`')) return -1
    for (let line = openEnd + 1; line <= text.length; ) {
      const end = this.lineEnd(line)
      const at = this.skipSpaces(line, end)
      let index = at
      while (index < end && text.charCodeAt(index) === mark) index++
      if (at - line < 4 && index - at >= width) {
        const rest = this.skipSpaces(index, end)
        if (text.charCodeAt(rest) === TAB) return -1
        if (rest === end) {
          paint(this.marks, start, end, MARK.code)
          return end
        }
      }
      line = end + 1
    }
    return -1
  }

  /** Marks a block quote of flat lines; returns its end, or -1 if it cannot be read. */
  private markQuote(start: number): number {
    const { text } = this
    let line = start
    for (;;) {
      const end = this.lineEnd(line)
      const from = text.charCodeAt(line + 1) === SPACE ? line + 2 : line + 1
      const content = this.skipSpaces(Math.min(from, end), end)
      if (content - from > 3) return -1
      if (content < end && !this.markQuotedLine(content, end)) return -1
      const next = end + 1
      const last = next >= text.length || this.skipSpaces(next, text.length) === this.lineEnd(next)
      if (last) {
        if (content >= end) return -1
        paint(this.marks, start, end, MARK.quote)
        return end
      }
      if (text.charCodeAt(next) !== GREATER) return -1
      line = next
    }
  }

  private markQuotedLine(content: number, end: number): boolean {
    const first = this.text.charCodeAt(content)
    if (first === GREATER || first === TAB || this.isFence(content)) return false
    const line = this.readLine(content, end)
    return line !== null && this.inline.mark(line.content, end)
  }
}

const TEXT_OPENERS = '`"\'([.,;/$%&@{|?!:'

function isIndent(code: number): boolean {
  return code === SPACE || code === TAB
}
