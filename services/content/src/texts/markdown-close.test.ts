import { describe, expect, it } from '@jest/globals'
import { closeMarkdown, fenced, quoted } from './markdown-close.ts'

describe('closing Markdown', () => {
  it.each([
    ['prose', 'Just `code` and ```inline``` code.'],
    ['a closed block', '```js\na\n```\n'],
    ['a block closed by a longer fence', '```\na\n`````'],
    ['HTML inside a block', '```\n<!-- a\n```'],
    ['an indented block in a block', '```\n  ~~~\n```'],
  ])('adds nothing to %s', (_, markdown) => {
    expect(closeMarkdown(markdown)).toBe('')
  })

  it.each([
    ['backticks', 'a\n```js\nb', '```'],
    ['tildes', '~~~~\n```\n~~~', '~~~~'],
    ['a shorter fence that does not close', '`````\n```', '`````'],
    ['a fence with a word, which does not close', '```\n```js', '```'],
  ])('closes a block of %s exactly', (_, markdown, closing) => {
    expect(closeMarkdown(markdown)).toBe(closing)
  })

  it('does not need to know whether an indented block is open', () => {
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

describe('fencing', () => {
  it('is longer than any fence inside', () => {
    expect(fenced('a ```` b', 'json')).toBe('`````json\na ```` b\n`````')
  })
})

describe('quoting', () => {
  it('marks every line', () => {
    expect(quoted('a\n\nb', 2)).toBe('> > a\n> >\n> > b')
  })
})
