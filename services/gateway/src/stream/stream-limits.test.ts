import { describe, expect, it } from '@jest/globals'
import { StreamLimits } from './stream-limits.ts'

describe('stream limits', () => {
  it('hold per address and in all, and places come back once', () => {
    const limits = new StreamLimits(3, 2)
    const release = limits.take('a')
    limits.take('a')

    expect(() => limits.take('a')).toThrow(expect.objectContaining({ code: 'rate_limited' }))
    limits.take('b')
    expect(() => limits.take('c')).toThrow(expect.objectContaining({ code: 'unavailable' }))

    release()
    release()
    limits.take('a')
    expect(() => limits.take('a')).toThrow(expect.objectContaining({ code: 'rate_limited' }))
  })
})
