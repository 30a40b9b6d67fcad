import { describe, expect, it } from '@jest/globals'
import { mulberry32 } from '../train/logistic.ts'
import { MARK, type Marks } from './markdown-marks.ts'
import { markByParser } from './parse.ts'
import { markPlainMarkdown } from './plain-markdown.ts'

const PIECES = [
  ...['word ', 'foo', '`', '``', '```\n', '~~~\n', '\n', '\n\n', '- ', '1. ', '> ', '>', '    '],
  ...[
    '\t',
    '[a](b)',
    '[x](http://u.v/w)',
    '[',
    ']',
    '](',
    '[b]: c',
    '\\[',
    '\\`',
    '[a\\*](b?c&d)',
    '![i](j)',
    '<b>',
    '<!-- ',
  ],
  ...['<http://u.v>', '<ab:c>', '<a@b.c>', '</b>', '<br/>', '<T, U>', '<div>', '[`c`](d)', '(e)'],
  ...['-->', '# ', '---\n', '===\n', '*e*', '**s**', '\\', '"', 'é', '- x\n', '> q\n', '`c`', '<'],
]

function parsed(text: string): Marks {
  const marks = new Uint8Array(text.length)
  markByParser(text, marks)
  return marks
}

describe('markPlainMarkdown', () => {
  it('reads everyday Markdown by itself', () => {
    const text =
      '# Title\n\nSee `a\nb` and [c](http://d/e).\n\n```js\nf()\n```\n\n- g\n- h\n\n> i\n> j\n'
    const marks = new Uint8Array(text.length)

    expect(markPlainMarkdown(text, marks)).toBe(true)
    expect(marks).toEqual(parsed(text))
    expect(marks[text.indexOf('f()')]).toBe(MARK.code)
    expect(marks[text.indexOf('> j')]).toBe(MARK.quote)
  })

  it('agrees with the CommonMark parser on whatever it takes', () => {
    const random = mulberry32(5)
    let taken = 0
    for (let round = 0; round < 4_000; round++) {
      let text = ''
      const pieces = 1 + Math.floor(random() * 14)
      for (let piece = 0; piece < pieces; piece++) {
        text += PIECES[Math.floor(random() * PIECES.length)] ?? ''
      }
      const marks = new Uint8Array(text.length)
      if (!markPlainMarkdown(text, marks)) continue
      taken++
      expect({ text, marks }).toEqual({ text, marks: parsed(text) })
    }
    expect(taken).toBeGreaterThan(400)
  })

  it('leaves to the parser what it cannot be sure of', () => {
    for (const text of ['- > a', '> a\nb', '<b>x</b>', '`a', '    x', '[a]: b', '\\`a`', '- - a']) {
      expect(markPlainMarkdown(text, new Uint8Array(text.length))).toBe(false)
    }
  })
})
