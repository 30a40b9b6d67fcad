import { describe, expect, it } from '@jest/globals'
import { mentionsIn } from './references.ts'

describe('a mention', () => {
  it.each([
    ['a sentence', 'As @ann says.'],
    ['the text of a link', '[@ann](https://example.org)'],
    ['a paragraph beside backticks that nothing closes', 'It prints ``` and ends, @ann.'],
    ['the paragraph after a stray backtick', 'A stray ` here.\n\n@ann, another ` there.'],
    ['a line behind a code block', '````\n```\n@property\n```\n````\n@ann'],
    ['code that is longer than is looked for', `\`${'word '.repeat(400)} @ann\``],
    ['what stands between tildes', '~~@ann~~, or ~~~ as @ann writes'],
  ])('is found in %s', (_, markdown) => {
    expect(mentionsIn(markdown)).toEqual(['ann'])
  })

  it.each([
    ['code', 'Use `@property` here.'],
    ['code between two backticks, as in reStructuredText', 'Use ``@property`` here.'],
    ['code that holds a backtick', 'Use `` `@property` `` here.'],
    ['code that goes on in the next line', 'Use `one\n@property` here.'],
    ['a code block', '```py\n@property\n```'],
    ['a code block that holds a shorter fence', '````md\n```\n@property\n```\n@property\n````'],
    ['a code block that nothing closes', '~~~\n@property\n\n@property'],
    ['a longer name', `@property-${'of'.repeat(16)}`],
    ['the name of a package', 'Install @types/node.'],
    ['an account elsewhere', '@property-a@example.org'],
    ['an address', 'ann@property.example, https://example.org/@property'],
  ])('is not found in %s', (_, markdown) => {
    expect(mentionsIn(markdown)).toEqual([])
  })
})
