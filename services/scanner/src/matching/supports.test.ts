import { expect, it } from '@jest/globals'
import { findHits } from '../scan.ts'
import { madeUpRules } from '../testing/made-up-rules.ts'
import { CLUSTER_LENGTH } from './hit.ts'

const WINDOW = { before: 5, after: 5, score: 0.3 }
const WORDS = { keywords: ['fetch'], pattern: 'fetch', id: 'lure.fetch' }
const SUPPORT = { keywords: ['hurry'], pattern: 'hurry', id: 'lure.hurry', supports: true }
const OTHER = { keywords: ['token'], pattern: 'token', id: 'credential_theft.token' }

const rules = madeUpRules({
  lure: [
    { ...WINDOW, ...SUPPORT },
    { ...WINDOW, ...WORDS },
  ],
  credential_theft: [{ ...WINDOW, ...OTHER }],
})

function rulesIn(body_md: string): string[] {
  const { hits } = findHits({ body_md }, rules)
  return hits.map(({ rule }) => rule.id)
}

it.each([
  ['hurry', []],
  ['hurry hurry', []],
  ['token, hurry', ['credential_theft.token']],
  ['fetch it, hurry', ['lure.fetch', 'lure.hurry']],
  ['hurry, fetch it', ['lure.fetch', 'lure.hurry']],
])('a supporting rule has hits in %j only beside the rules that it supports: %j', (text, found) => {
  expect(rulesIn(text)).toEqual(found)
})

it('a supporting rule has hits only within CLUSTER_LENGTH of the hit that it supports', () => {
  const apart = (length: number) => `fetch${'.'.repeat(length)} hurry`

  expect(rulesIn(apart(CLUSTER_LENGTH - 10))).toEqual(['lure.fetch', 'lure.hurry'])
  expect(rulesIn(apart(CLUSTER_LENGTH + 10))).toEqual(['lure.fetch'])
  expect(rulesIn(`hurry${'.'.repeat(CLUSTER_LENGTH + 10)} fetch`)).toEqual(['lure.fetch'])
})
