import { expect, it } from '@jest/globals'
import { shippedRules } from '../testing/test-rules.ts'
import { withAnyBlanks } from './any-blanks.ts'
import { compilePattern } from './engine.ts'

it.each([
  ['access tokens?', 'access \n tokens', true],
  ['access tokens?', 'accesstokens', false],
  ['all (?:of )?that', 'all  of\nthat', true],
  ['a ?b', 'ab', true],
  ['a ?b', 'a\tb', true],
  ['a[ -]b', 'a b', true],
  ['a[ -]b', 'a\nb', false],
  ['a[\\] ]b', 'a\nb', false],
  ['\\[ a', '[\na', true],
])(
  'withAnyBlanks lets the spaces of %s stand for any blanks, or not: %j',
  (pattern, text, matches) => {
    expect(compilePattern(withAnyBlanks(pattern)).testExact(text)).toBe(matches)
  },
)

it('a shipped pattern of a command does not let its spaces stand for any blanks', () => {
  const command = shippedRules().rules.find(({ id }) => id === 'lure.osascript-shell')?.compiled

  expect(command?.test('osascript -e \'do shell script "curl')).toBe(true)
  expect(command?.test('osascript -e \'do shell\nscript "curl')).toBe(false)
})
