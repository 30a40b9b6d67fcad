import { describe, expect, it } from '@jest/globals'
import { chooseCoding } from './coding.ts'

describe('content coding', () => {
  it('prefers brotli, then gzip, by what the client accepts', () => {
    expect(chooseCoding(undefined)).toBe('identity')
    expect(chooseCoding('gzip, deflate, br')).toBe('br')
    expect(chooseCoding('gzip')).toBe('gzip')
    expect(chooseCoding('br;q=0.2, gzip;q=0.8')).toBe('gzip')
    expect(chooseCoding('*')).toBe('br')
    expect(chooseCoding('br;q=0, gzip;q=0')).toBe('identity')
    expect(chooseCoding('identity')).toBe('identity')
  })
})
