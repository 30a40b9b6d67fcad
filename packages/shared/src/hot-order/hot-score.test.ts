import { expect, it } from '@jest/globals'
import { hotScore } from './hot-score.ts'

const HOUR_MS = 3_600_000
const post = {
  score: 0,
  comments: 0,
  independent_reproductions: 0,
  failed: 0,
  created_at_ms: Date.parse('2026-01-01T00:00:00Z'),
}

it.each([
  { of: 'a post that has received nothing', counts: {}, is: 0 },
  { of: 'two points', counts: { score: 1 }, is: 1 },
  { of: 'four points', counts: { score: 3 }, is: 2 },
  { of: 'one and a half points', counts: { comments: 1 }, is: Math.log2(1.5) },
  { of: 'no points', counts: { score: -1 }, is: -1 },
  { of: 'minus two points', counts: { score: -3 }, is: -2 },
  { of: 'comments, half a point each', counts: { comments: 6 }, is: 2 },
  {
    of: 'independent reproductions, two points each',
    counts: { score: 3, independent_reproductions: 2 },
    is: 3,
  },
  { of: 'failures, minus two points each', counts: { score: 7, failed: 2 }, is: 2 },
])('the hot score of $of is $is', ({ counts, is }) => {
  expect(hotScore({ ...post, ...counts })).toBe(is)
})

it('the hot score is as much higher for a post that is one half-life younger as for twice the points', () => {
  const older = { ...post, score: 15 }
  const newer = { ...post, score: 3, created_at_ms: post.created_at_ms + 12 * HOUR_MS }

  expect(hotScore(newer)).toBe(hotScore(older))
})

it('the hot score follows the settings', () => {
  const settings = {
    halfLifeSeconds: 3_600,
    commentWeight: 3,
    reproductionWeight: 5,
    failureWeight: -1,
  }
  const received = { comments: 1, independent_reproductions: 2, failed: 2 }
  const created_at_ms = post.created_at_ms + 5 * HOUR_MS

  expect(hotScore({ ...post, ...received, created_at_ms }, settings)).toBe(4 + 5)
})
