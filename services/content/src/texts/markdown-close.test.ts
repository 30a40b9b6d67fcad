import { describe, expect, it } from '@jest/globals'
import { closeMarkdown, fenced, quoted } from './markdown-close.ts'

describe('closing Markdown', () => {
  it.each([
    ['prose', 'Just `code` and ```inline``` code.'],
    ['a closed block', '```js\na\n```\n'],
    ['a block closed by a longer fence', '```\na\n`````'],
    ['HTML inside a block', '```\n<!-- a\n```'],
    ['an indented block in a block', '```\n  ~~~\n```'],
  ])('adds nothing after %s', (_, markdown) => {
    expect(closeMarkdown(markdown)).toBe('')
  })

  it.each([
    ['backticks', 'a\n```js\nb', '```'],
    ['tildes', '~~~~\n```\n~~~', '~~~~'],
    ['a shorter fence that does not close', '`````\n```', '`````'],
    ['a fence with a word, which does not close', '```\n```js', '```'],
  ])('closes a block of %s with its exact fence', (_, markdown, closing) => {
    expect(closeMarkdown(markdown)).toBe(closing)
  })

  it('adds a pair of fences if an indented block may be open or closed', () => {
    expect(closeMarkdown('- a\n  ````\n  b')).toBe('````text\n````')
    expect(closeMarkdown('- a\n  ```\n  b\n  ```\n\n~~~~~\n')).toBe(
      '```text\n```\n~~~~~text\n~~~~~',
    )
  })

  it('closes HTML blocks before code blocks', () => {
    expect(closeMarkdown('<!-- a\n```')).toBe('<!-- -->\n\n```text\n```')
    expect(closeMarkdown('<script>\na')).toBe('<pre></pre>')
  })
})

describe('a code fence', () => {
  it('is longer than any fence in its text', () => {
    expect(fenced('a ```` b', 'json')).toBe('`````json\na ```` b\n`````')
  })
})

describe('a quotation', () => {
  it('marks every line, empty lines included', () => {
    expect(quoted('a\n\nb', 2)).toBe('> > a\n> >\n> > b')
  })
})
