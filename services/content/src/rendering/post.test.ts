import { expect, it } from '@jest/globals'
import { cutText } from './post.ts'

const FACES = '😀'.repeat(50)

it.each([
  ['as long as asked for', 'x'.repeat(50), 50, 'x'.repeat(50), false],
  ['longer', 'x'.repeat(51), 50, 'x'.repeat(50), true],
  ['as long, of characters that take two units each', FACES, 50, FACES, false],
  ['longer, of such characters', `${FACES}😀`, 50, FACES, true],
  ['of any length where none is asked for', FACES, undefined, FACES, false],
])(
  'cutText counts characters, not code units, for a text that is %s',
  (_, given, maxChars, text, truncated) => {
    expect(cutText(given, maxChars)).toEqual({ text, truncated })
  },
)
