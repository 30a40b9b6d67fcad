import { describe, expect, it } from '@jest/globals'
import { Places } from './places.ts'

describe('places', () => {
  it('hold per address and in all, and places come back once', () => {
    const limits = new Places({ max: 3, perAddressMax: 2, retrySeconds: 30 })
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
