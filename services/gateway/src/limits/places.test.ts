import { describe, expect, it } from '@jest/globals'
import { keptBytes } from '../../../../tests/support/heap.ts'
import { Places } from './places.ts'

describe('places', () => {
  it('are limited for each address and in total, and are given back only once', () => {
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

  it('take no memory for an address that has given back all its places', async () => {
    const limits = new Places({ max: 1, perAddressMax: 1, retrySeconds: 30 })

    const kept = await keptBytes(() => {
      for (let n = 0; n < 100_000; n++) limits.take(`address ${n}`)()
    })

    // The addresses together take 10 MB.
    expect(kept).toBeLessThan(1_000_000)
  })
})
