import { describe, expect, it } from '@jest/globals'
import { keptBytes } from '../../../../tests/support/heap.ts'
import { chooseCoding } from './coding.ts'

const KIB = 1_024

/** Different headers, as strings that the parser would give. */
function headers(count: number, length: number): string[] {
  return Array.from({ length: count }, (_, n) =>
    Buffer.from(`gzip;q=0.${n}`.padEnd(length)).toString(),
  )
}

describe('the choice of a content coding', () => {
  it('prefers brotli, then gzip, among the codings that the client prefers', () => {
    expect(chooseCoding(undefined)).toBe('identity')
    expect(chooseCoding('gzip, deflate, br')).toBe('br')
    expect(chooseCoding('gzip')).toBe('gzip')
    expect(chooseCoding('br;q=0.2, gzip;q=0.8')).toBe('gzip')
    expect(chooseCoding('*')).toBe('br')
    expect(chooseCoding('br;q=0, gzip;q=0')).toBe('identity')
    expect(chooseCoding('identity')).toBe('identity')
    expect(chooseCoding('gzip, identity;q=0.5')).toBe('gzip')
    expect(chooseCoding('identity, gzip, *')).toBe('br')
  })

  it('is identity if the client prefers identity', () => {
    expect(chooseCoding('identity, gzip;q=0.5')).toBe('identity')
    expect(chooseCoding('identity;q=0.9, *;q=0.1')).toBe('identity')
    expect(chooseCoding('identity;q=0.5, gzip, br;q=0.1')).toBe('gzip')
  })

  it('is remembered for a bounded number of headers, and for no long header', async () => {
    const choose = (count: number, length: number) =>
      keptBytes(() => {
        for (const header of headers(count, length)) chooseCoding(header)
      })

    expect(await choose(200, 16 * KIB)).toBeLessThan(KIB * KIB)
    expect(await choose(30_000, 250)).toBeLessThan(KIB * KIB)
  })
})
