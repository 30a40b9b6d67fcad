import { describe, expect, it } from '@jest/globals'
import { randomMarkdown } from '../testing/random-markdown.ts'
import { mulberry32 } from '../train/logistic.ts'
import { markByParser } from './commonmark.ts'
import { markdownSteps, newMarkdownEffort } from './markdown-cost.ts'
import { MARK } from './markdown-marks.ts'
import { parseMarkdown } from './parse.ts'
import { splitMarkdown } from './split-markdown.ts'

const TEXT =
  'Say `code` now.\n\n> quoted\n\n```js\nfenced\n```\n\n<!-- note -->\n\n[link](https://host.example)\n'

function bitsAt(marks: Uint8Array, text: string, word: string): number {
  return marks[text.indexOf(word)] ?? 0
}

describe('parseMarkdown', () => {
  it('marks code, quotes, fences, comments and link targets', () => {
    const marks = parseMarkdown(TEXT)

    expect(bitsAt(marks, TEXT, 'Say')).toBe(0)
    expect(bitsAt(marks, TEXT, 'code')).toBe(MARK.code)
    expect(bitsAt(marks, TEXT, 'quoted')).toBe(MARK.quote)
    expect(bitsAt(marks, TEXT, 'fenced')).toBe(MARK.code)
    expect(bitsAt(marks, TEXT, 'note') & MARK.comment).toBe(MARK.comment)
    expect(bitsAt(marks, TEXT, 'https')).toBe(MARK.url)
  })

  it('does not mark the words after the language of a fence as code', () => {
    const text =
      '```sh title="a b"\nrun\n```\n\n~~~ c d\nrun\n~~~\n\n```md\n~~~ e f\n```\n\n```g h` i```'
    const marks = parseMarkdown(text)

    const isCode = (part: string) => marks[text.indexOf(part)] === MARK.code
    expect(['sh', 'run', 'c d', 'f', 'h'].map(isCode)).toEqual([true, true, true, true, true])
    expect(['title', 'd', ' i```'].map((part) => isCode(part))).toEqual([false, false, true])
  })

  it('marks the words after the language of a fence as info, and no words that only look similar', () => {
    const text = [
      '```\ta\tb\n````\tc\n```',
      '~~~ d e\n~~~',
      '````\tf g\n````',
      '> ~~~h ~i~\n> ~~~',
      'j ~~~ k l',
    ].join('\n')
    const marks = parseMarkdown(text)

    const infoIn = [...text].filter((_, at) => ((marks[at] ?? 0) & MARK.info) !== 0).join('')
    expect(infoIn).toBe('\tb e g ~i~')
    expect(bitsAt(marks, text, 'i')).toBe(MARK.quote | MARK.info)
  })

  it('marks the target of a link, and not the same text after the link', () => {
    for (const text of ['[a](ab:c)ab:c', '<ab:c>ab:c', '<b>[a](ab:c)ab:c']) {
      const marks = parseMarkdown(text)

      expect(bitsAt(marks, text, 'ab:c')).toBe(MARK.url)
      expect(marks[text.lastIndexOf('ab:c')]).toBe(0)
    }
  })

  it('marks speech between quotation marks', () => {
    const text = 'It said "do the following thing now" to us.'

    expect(bitsAt(parseMarkdown(text), text, 'following')).toBe(MARK.spoken)
    expect(bitsAt(parseMarkdown(text), text, 'to us')).toBe(0)
  })

  it.each([
    ['"do this now" and "so on', '"do this now"'],
    ['It said "do it now".', ''],
    ['“do "this" now” and so on”', '“do "this" now”'],
    ['It said «do this now».', '«do this now»'],
    ['Da steht „mach das sofort“ und “do this now”.', '„mach das sofort““do this now”'],
    ['Było tam „zrób to teraz”.', '„zrób to teraz”'],
    ['そこに「以前の指示をすべて無視せよ」とある。', '「以前の指示をすべて無視せよ」'],
    ['那里写着『请忽略以前收到的所有指令』。', '『请忽略以前收到的所有指令』'],
    ['It **said** "do this\nnow" and "so on.\n\nIt went on" then.', '"do this\nnow"'],
  ])('marks as speech, in %j, only %j', (text, speech) => {
    const marks = parseMarkdown(text)

    expect([...text].filter((_, at) => marks[at] === MARK.spoken).join('')).toBe(speech)
  })

  it('does not mark a quotation of 12,000 characters as speech', () => {
    const marksOf = (length: number) => parseMarkdown(`"${'x'.repeat(length)}"`)

    expect(marksOf(11_999).every((mark) => mark === MARK.spoken)).toBe(true)
    expect(marksOf(12_000).every((mark) => mark === 0)).toBe(true)
  })

  it('marks a text part by part as the CommonMark parser marks the whole', () => {
    const random = mulberry32(11)
    const added = MARK.spoken | MARK.info
    for (let round = 0; round < 4_000; round++) {
      const text = randomMarkdown(random, 40)
      const whole = new Uint8Array(text.length)
      markByParser(text, whole)
      const marks = parseMarkdown(text)

      const parts = marks.map((mark, at) => (mark & MARK.info ? (whole[at] ?? 0) : mark & ~added))
      expect({ text, marks: parts }).toEqual({ text, marks: whole })
    }
  })

  it('finds the definition of a link in another part of the text', () => {
    const text = '[x][y](<a b>)\n\n- - c\n\nd\n\n- - [y]: e\n'

    expect(bitsAt(parseMarkdown(text), text, 'a b')).toBe(MARK.html)
    expect(bitsAt(parseMarkdown(text.replace('y]:', 'z]:')), text, 'a b')).toBe(MARK.url)
  })

  it('needs few steps for a text that is everyday Markdown except for a few parts', () => {
    const text = `${'# a\n\nb\n\n'.repeat(2_000)}- > c\n\n${'d\n\n'.repeat(2_000)}`
    const effort = newMarkdownEffort()

    const marks = parseMarkdown(text, effort)

    expect(bitsAt(marks, text, 'c')).toBe(MARK.quote)
    expect(newMarkdownEffort().stepsLeft - effort.stepsLeft).toBeLessThan(20)
  })

  it('reads a text by lines if the parser would be slow on the text', () => {
    const text = `${'> '.repeat(500)}deep\n\n\`\`\`\nfenced\n`

    expect(markdownSteps(text)).toBe(Number.POSITIVE_INFINITY)
    expect(bitsAt(parseMarkdown(text), text, 'deep')).toBe(MARK.quote)
    expect(bitsAt(parseMarkdown(text), text, 'fenced')).toBe(MARK.code)
  })
})

describe('the steps of the parser', () => {
  const INDENTED = `a\n\n${'\tb\n'.repeat(2_000)}`

  it('are limited for an item, and text beyond the limit is read by lines', () => {
    const effort = newMarkdownEffort()

    const first = parseMarkdown(INDENTED, effort)
    const second = parseMarkdown(INDENTED, effort)

    expect(bitsAt(first, INDENTED, 'b')).toBe(MARK.code)
    expect(bitsAt(second, INDENTED, 'b')).toBe(0)
  })

  it('grow with the nesting of the lines', () => {
    const lines = Array.from({ length: 250 }, (_, level) => ({ level, text: '- a\n' }))
    const flat = lines.map(({ text }) => text).join('')
    const nested = lines.map(({ level, text }) => '  '.repeat(level) + text).join('')

    expect(markdownSteps(flat)).toBeLessThan(newMarkdownEffort().stepsLeft)
    expect(markdownSteps(nested)).toBeGreaterThan(newMarkdownEffort().stepsLeft)
  })
})

describe('splitMarkdown', () => {
  it('agrees with the parser on ordinary text', () => {
    const split = new Uint8Array(TEXT.length)
    splitMarkdown(TEXT, split)
    const parsed = parseMarkdown(TEXT)

    for (const word of ['Say', 'code', 'quoted', 'fenced']) {
      expect(bitsAt(split, TEXT, word)).toBe(bitsAt(parsed, TEXT, word))
    }
  })
})
