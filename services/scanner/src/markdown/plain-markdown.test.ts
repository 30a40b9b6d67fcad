import { describe, expect, it } from '@jest/globals'
import { randomMarkdown } from '../testing/random-markdown.ts'
import { mulberry32 } from '../train/logistic.ts'
import { markByParser } from './commonmark.ts'
import { MARK, type Marks } from './markdown-marks.ts'
import { PlainMarkdown } from './plain-markdown.ts'

function parsed(text: string): Marks {
  const marks = new Uint8Array(text.length)
  markByParser(text, marks)
  return marks
}

function isPlain(text: string, marks: Marks = new Uint8Array(text.length)): boolean {
  return new PlainMarkdown(text, marks).mark(0) === null
}

describe('everyday Markdown', () => {
  it('is read without the parser', () => {
    const text =
      '# Title\n\nSee `a\nb` and [c](http://d/e).\n\n```js\nf()\n```\n\n- g\n- h\n\n> i\n> j\n'
    const marks = new Uint8Array(text.length)

    expect(isPlain(text, marks)).toBe(true)
    expect(marks).toEqual(parsed(text))
    expect(marks[text.indexOf('f()')]).toBe(MARK.code)
    expect(marks[text.indexOf('> j')]).toBe(MARK.quote)
  })

  it('is read as the CommonMark parser would read it', () => {
    const random = mulberry32(5)
    let taken = 0
    for (let round = 0; round < 4_000; round++) {
      const text = randomMarkdown(random, 14)
      const marks = new Uint8Array(text.length)
      if (!isPlain(text, marks)) continue
      taken++
      expect({ text, marks }).toEqual({ text, marks: parsed(text) })
    }
    expect(taken).toBeGreaterThan(400)
  })

  it('does not include Markdown that only the parser reads correctly', () => {
    for (const text of ['- > a', '> a\nb', '<b>x</b>', '`a', '    x', '[a]: b', '\\`a`', '- - a']) {
      expect(isPlain(text)).toBe(false)
    }
  })

  it('ends before a part for the parser, and goes on after that part', () => {
    const text = '# a\n\nb\n- - c\n\n  d\n \t\ne\n\nf\n'
    const plain = new PlainMarkdown(text, new Uint8Array(text.length))

    const part = plain.mark(0)

    expect(part).toEqual({ start: text.indexOf('b'), end: text.indexOf('e') })
    expect(plain.mark(part?.end ?? 0)).toBeNull()
  })
})
