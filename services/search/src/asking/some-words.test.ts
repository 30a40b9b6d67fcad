import { expect, it } from '@jest/globals'
import { findHits } from '@stoa/shared/contracts/search.js'
import { wantsSomeWords } from './some-words.ts'

it.each([
  ['few texts have all of them', 'dead-lock pool', 4, true],
  ['enough texts have', 'dead-lock pool', 5, false],
  ['there is but one', 'pool', 0, false],
  ['nobody has a qualified name in full', 'os.path.exists', 0, true],
  ['somebody has a qualified name in full', 'os.path.exists', 1, false],
])(
  'a search decides correctly about texts with only some of its words if %s',
  (_, q, texts, isWanted) => {
    expect(wantsSomeWords(findHits.input.parse({ q }), texts)).toBe(isWanted)
  },
)

it.each(['new', 'top'])(
  'a search that is sorted by %s does not include texts with only some of its words',
  (sort) => {
    expect(wantsSomeWords(findHits.input.parse({ q: 'dead-lock pool', sort }), 0)).toBe(false)
  },
)
