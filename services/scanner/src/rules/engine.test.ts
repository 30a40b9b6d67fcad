import { describe, expect, it } from '@jest/globals'
import { compilePattern } from './engine.ts'

describe('compilePattern', () => {
  it('gives the place of the match and of its first group', () => {
    const [match] = compilePattern('key=([a-z]+);').matches('a key=abc; b', 10)

    expect(match).toEqual({ start: 2, end: 10, innerStart: 6, innerEnd: 9 })
  })

  it('refuses what cannot be matched in linear time', () => {
    expect(() => compilePattern('(a)\\1')).toThrow()
    expect(() => compilePattern('(?<=a)b(?=c)')).toThrow()
  })

  it('answers as before once its caches are thrown away', () => {
    const pattern = compilePattern('(?i)a+b')
    pattern.renew()

    expect(pattern.test('xAAb')).toBe(true)
    expect(pattern.testExact('xAAb')).toBe(false)
  })
})
