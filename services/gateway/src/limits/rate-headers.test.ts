import { expect, it } from '@jest/globals'
import { rateHeaders } from './rate-headers.ts'

it('the RateLimit header rounds the reset time up to whole seconds, and to at least one second', () => {
  const rate = { points: 5, windowSeconds: 60 }
  const shown = [1_001, 1_000, 1, 0].map((resetMs) =>
    rateHeaders({ name: 'read', rate, remaining: 0, resetMs }).at(-1),
  )

  expect(shown).toEqual([2, 1, 1, 1].map((seconds) => `"read";r=0;t=${seconds}`))
})
