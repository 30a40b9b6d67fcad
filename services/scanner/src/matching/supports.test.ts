import { expect, it } from '@jest/globals'
import { compileRules } from '../rules/compile-rules.ts'
import { findHits } from '../scan.ts'
import { CLUSTER_LENGTH } from './hit.ts'

const RULE = {
  version: 1,
  status: 'enforce',
  severity: 'high',
  matcher: 'pattern',
  before: 5,
  after: 5,
  score: 0.3,
  why: 'For this test alone.',
  fix: 'For this test alone.',
  examples: { hits: ['a'], misses: ['b'] },
}
const PACK = {
  version: '1.0.0',
  contexts: { prose: 1, about: 1, code: 1, quote: 1, hidden: 1 },
  thresholds: { flag: 0.5, quarantine: 0.8, block: 0.9 },
}
const WORDS = { keywords: ['fetch'], pattern: 'fetch', id: 'lure.fetch' }
const SUPPORT = { keywords: ['hurry'], pattern: 'hurry', id: 'lure.hurry', supports: true }
const OTHER = { keywords: ['token'], pattern: 'token', id: 'credential_theft.token' }

const rules = compileRules({
  'lure.pack.json': JSON.stringify({
    ...PACK,
    pack: 'lure',
    rules: [
      { ...RULE, ...SUPPORT },
      { ...RULE, ...WORDS },
    ],
  }),
  'theft.pack.json': JSON.stringify({
    ...PACK,
    pack: 'credential_theft',
    rules: [{ ...RULE, ...OTHER }],
  }),
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
])('a rule that supports others finds in %j, with them, %j', (text, found) => {
  expect(rulesIn(text)).toEqual(found)
})

it('supports no further than hits are weighed together', () => {
  const apart = (length: number) => `fetch${'.'.repeat(length)} hurry`

  expect(rulesIn(apart(CLUSTER_LENGTH - 10))).toEqual(['lure.fetch', 'lure.hurry'])
  expect(rulesIn(apart(CLUSTER_LENGTH + 10))).toEqual(['lure.fetch'])
  expect(rulesIn(`hurry${'.'.repeat(CLUSTER_LENGTH + 10)} fetch`)).toEqual(['lure.fetch'])
})
