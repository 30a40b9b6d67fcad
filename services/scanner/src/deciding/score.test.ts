import { expect, it } from '@jest/globals'
import type { Verdict } from '@stoa/shared/contracts/verdicts.js'
import { CLUSTER_LENGTH } from '../matching/hit.ts'
import { scan } from '../scan.ts'
import { madeUpRules } from '../testing/made-up-rules.ts'

/** The verdict on a text under rules that each find a word, given with their scores and groups. */
function verdictOn(
  text: string,
  pack: string,
  words: Record<string, number>,
  groups: Record<string, string> = {},
): Verdict {
  const rules = Object.entries(words).map(([word, score]) => ({
    id: `${pack}.${word}`,
    keywords: [word],
    pattern: word,
    score,
    group: groups[word],
  }))
  return scan({ body_md: text }, madeUpRules({ [pack]: rules })).verdict
}

it.each([
  [0.49, 'allow'],
  [0.5, 'flag'],
  [0.8, 'quarantine'],
  [0.9, 'block'],
] as const)('a score of %d, which is a threshold, gives the verdict %s', (score, verdict) => {
  expect(verdictOn('hurry', 'lure', { hurry: score })).toBe(verdict)
})

it('one feature of an injection gives flag at most, whatever the score of its rule', () => {
  expect(verdictOn('hurry', 'injection', { hurry: 1 })).toBe('flag')
})

it('two weak features of an injection give flag together, and block if one of them is an override', () => {
  const words = { hurry: 0.7, fetch: 0.7 }

  expect(verdictOn('hurry, fetch it', 'injection', words)).toBe('flag')
  expect(verdictOn('hurry, fetch it', 'injection', words, { hurry: 'override' })).toBe('block')
})

it('two hits are weighed together if they begin at most CLUSTER_LENGTH apart', () => {
  const apart = (length: number) =>
    verdictOn(`hurry${'.'.repeat(length - 'hurry'.length)}fetch`, 'lure', {
      hurry: 0.6,
      fetch: 0.6,
    })

  expect([apart(CLUSTER_LENGTH), apart(CLUSTER_LENGTH + 1)]).toEqual(['quarantine', 'flag'])
})

it('hits after very many stronger hits are weighed too', () => {
  const words = { hurry: 0.45, fetch: 0.44, token: 0.44 }
  const many = 'hurry '.repeat(400)
  const apart = '.'.repeat(CLUSTER_LENGTH)

  expect(verdictOn(many, 'lure', words)).toBe('allow')
  expect(verdictOn(`${many}${apart} fetch token`, 'lure', words)).toBe('flag')
})

it.each(['hurry, fetch it', 'fetch it, hurry'])(
  'a second demand adds to the score of the first: %j',
  (text) => {
    const words = { hurry: 0.4, fetch: 0.3 }

    expect(verdictOn(text, 'lure', words, { hurry: 'one', fetch: 'one' })).toBe('allow')
    expect(verdictOn(text, 'lure', words, { hurry: 'demand', fetch: 'demand' })).toBe('flag')
  },
)
