import {
  BACKSLASH,
  BACKTICK,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  EXCLAMATION,
  isDigit,
  isLetter,
  LESS,
  PAREN_OPEN,
  QUESTION,
  SLASH,
  SPACE,
} from '../ascii.ts'
import { MARK, type Marks, paint } from './markdown-marks.ts'

/** Marks inline code, bracketed links, autolinks and tags, if they are of a simple form. */
export class PlainInline {
  private readonly text: string
  private readonly marks: Marks
  private readonly lastGreater: number

  constructor(text: string, marks: Marks) {
    this.text = text
    this.marks = marks
    this.lastGreater = text.lastIndexOf('>')
  }

  /** Marks a paragraph, heading or line; false at the first construct that it cannot be sure of. */
  mark(from: number, end: number): boolean {
    const { text } = this
    if (text.charCodeAt(from) === BRACKET_OPEN && text.slice(from, end).includes(']:')) return false
    for (let index = from; index < end; ) {
      const code = text.charCodeAt(index)
      if (code === BACKTICK) index = this.markCode(index, end)
      else if (code === BRACKET_OPEN) index = this.markLink(index)
      else if (code === LESS) index = this.markAngle(index, from)
      else if (code === BACKSLASH) index += isPunctuation(text.charCodeAt(index + 1)) ? 2 : 1
      // A link, but not of the simple form.
      else if (code === BRACKET_CLOSE && text.charCodeAt(index + 1) === PAREN_OPEN) return false
      else index++
      if (index === -1) return false
    }
    return true
  }

  /** Marks inline code that begins at `start`. Returns its end, or -1 if it has no end. */
  private markCode(start: number, end: number): number {
    const width = this.runEnd(start, end) - start
    let close = this.text.indexOf('`', start + width)
    while (close !== -1 && close < end) {
      const closeEnd = this.runEnd(close, end)
      if (closeEnd - close === width) {
        paint(this.marks, start, closeEnd, MARK.code)
        return closeEnd
      }
      close = this.text.indexOf('`', closeEnd)
    }
    return -1
  }

  private runEnd(start: number, end: number): number {
    let index = start
    while (index < end && this.text.charCodeAt(index) === BACKTICK) index++
    return index
  }

  /** Marks a simple link; returns its end, the next place if it is none, or -1 if unsure. */
  private markLink(start: number): number {
    const { text } = this
    const shownEnd = endOf(LINK_TEXT, text, start)
    const end = shownEnd === -1 ? -1 : endOf(LINK_TARGET, text, shownEnd)
    if (end === -1) return start + 1
    for (let at = text.indexOf('`', start); at !== -1 && at < shownEnd; ) {
      const codeEnd = this.markCode(at, shownEnd)
      if (codeEnd === -1) return -1
      at = text.indexOf('`', codeEnd)
    }
    paint(this.marks, shownEnd + 1, end - 1, MARK.url)
    return end
  }

  /** Marks an autolink or a tag; returns its end, the next place if it is neither, -1 if unsure. */
  private markAngle(start: number, from: number): number {
    const { text } = this
    const next = text.charCodeAt(start + 1)
    if (!isLetter(next) && next !== EXCLAMATION && next !== SLASH && next !== QUESTION) {
      return start + 1
    }
    const autolinkEnd = endOf(AUTOLINK, text, start)
    if (autolinkEnd !== -1) {
      paint(this.marks, start + 1, autolinkEnd - 1, MARK.url)
      return autolinkEnd
    }
    // At the beginning of a line a tag may open an HTML block.
    if (start !== from) {
      const tagEnd = endOf(TAG, text, start)
      if (tagEnd !== -1) {
        paint(this.marks, start, tagEnd, MARK.html)
        return tagEnd
      }
      if (start > this.lastGreater || endOf(NO_TAG, text, start) !== -1) return start + 1
    }
    return -1
  }
}

/** Link text on one line, without markup other than inline code and escapes. */
const LINK_TEXT = /\[(?:[^[\]`<\\\n]|\\[^`\n]|`[^`\n]+`)*\]/y
/** A link target without markup. It has no semicolon, so it holds no character reference. */
const LINK_TARGET = /\([^\s\p{Cc}()<>\\;`]+(?:\([^\s\p{Cc}()<>\\;`]*\)[^\s\p{Cc}()<>\\;`]*)?\)/uy
const AUTOLINK = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^ \p{Cc}<>]*>/uy
/** A tag without attributes. */
const TAG = /<[A-Za-z][A-Za-z0-9-]* ?\/?>|<\/[A-Za-z][A-Za-z0-9-]* ?>/y
/** A name followed by a character that can follow it neither in a tag nor in an autolink. */
const NO_TAG = /<[A-Za-z][A-Za-z0-9-]*[,;()[\]"<]/y

/** The end of a match of a sticky pattern that begins at `start`, or -1. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** Whether a character is ASCII punctuation, which a backslash can escape. */
function isPunctuation(code: number): boolean {
  return code > SPACE && code < 127 && !isDigit(code) && !isLetter(code)
}
