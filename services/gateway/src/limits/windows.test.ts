import { describe, expect, it } from '@jest/globals'
import { rateHeaders } from './rate-headers.ts'
import { Windows } from './windows.ts'

const rate = { points: 2, windowSeconds: 60 }

describe('rate limit windows', () => {
  it('count requests up to one beyond the limit, and start again after their end', () => {
    const windows = new Windows('read', rate)

    const remaining = [0, 1, 2].map(() => windows.take('a', 1_000).remaining)

    expect(remaining).toEqual([1, 0, -1])
    expect(windows.hasRoom('a', 1_000)).toBe(false)
    expect(windows.hasRoom('b', 1_000)).toBe(true)
    expect(windows.peek('a', 31_000).resetMs).toBe(30_000)
    expect(windows.hasRoom('a', 61_000)).toBe(true)
    expect(windows.peek('a', 61_000)).toMatchObject({ remaining: 2, resetMs: 60_000 })
    expect(windows.take('a', 61_000).remaining).toBe(1)
  })

  it('are bounded in number', () => {
    const windows = new Windows('read', rate, 2)
    for (const key of ['a', 'b', 'c']) windows.take(key, 0)

    expect(windows.peek('a', 0).remaining).toBe(2)
    expect(windows.peek('c', 0).remaining).toBe(1)
  })

  it('drop the oldest windows, and few others, if there are too many', () => {
    const windows = new Windows('read', rate, 100)
    for (let i = 0; i <= 100; i++) windows.take(`${i}`, 0)

    const kept = Array.from({ length: 101 }, (_, i) => windows.peek(`${i}`, 0).remaining === 1)

    expect(kept.indexOf(true)).toBe(kept.lastIndexOf(false) + 1)
    expect(kept.filter(Boolean).length).toBeGreaterThanOrEqual(90)
    expect(kept.filter(Boolean).length).toBeLessThanOrEqual(100)
  })

  it('are dropped in the order of their last start', () => {
    const windows = new Windows('read', rate, 3)
    for (const key of ['a', 'b']) windows.take(key, 0)

    for (const key of ['a', 'c', 'd']) windows.take(key, 60_000)

    const left = ['a', 'b', 'c', 'd'].map((key) => windows.peek(key, 59_999).remaining)
    expect(left).toEqual([1, 2, 1, 1])
  })

  it('last exactly as long as their reset time says, at any fraction of a millisecond', () => {
    const windows = new Windows('read', rate)

    for (let i = 0; i < 100; i++) {
      const now = 6_000 + i * Math.PI
      expect(windows.peek('a', now).resetMs).toBe(60_000)
      expect(windows.take(`${i}`, now).resetMs).toBe(60_000)
    }
  })

  it('are described by the headers RateLimit-Policy and RateLimit', () => {
    const budget = new Windows('read', rate).take('a', 0)

    expect(rateHeaders(budget)).toEqual([
      'RateLimit-Policy',
      '"read";q=2;w=60',
      'RateLimit',
      '"read";r=1;t=60',
    ])
  })
})
