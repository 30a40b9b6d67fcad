import { describe, expect, it, jest } from '@jest/globals'
import { RE2JS } from 're2js'
import { compileNative, compilePattern, type Pattern } from './engine.ts'

/** RegExp stands in for the native engine, which takes a part of RegExp's syntax. */
const ENGINES: [string, (source: string) => Pattern][] = [
  ['the engine that is installed', compilePattern],
  ['the native one', (source) => compileNative(RegExp, source)],
]

describe.each(ENGINES)('the place of a group, found by %s', (_, compile) => {
  it('is its own even if the same text stands earlier in the match', () => {
    const [match] = compile('//[a-z0-9]+:([a-z0-9]+)@').matches('at a://k29:k29@b', 10)

    expect(match).toEqual({ start: 5, end: 15, innerStart: 11, innerEnd: 14 })
  })

  it('is that of the match if there is no group, or if the group took no part', () => {
    expect(compile('b+').matches('abbc', 10)).toEqual([
      { start: 1, end: 3, innerStart: 1, innerEnd: 3 },
    ])
    expect(compile('b(x)?').matches('ab', 10)).toEqual([
      { start: 1, end: 2, innerStart: 1, innerEnd: 2 },
    ])
  })
})

describe('compilePattern', () => {
  it('gives the place of the match and of its first group', () => {
    const [match] = compilePattern('key=([a-z]+);').matches('a key=abc; b', 10)

    expect(match).toEqual({ start: 2, end: 10, innerStart: 6, innerEnd: 9 })
  })

  it('finds all of many matches in a row, whichever alternative matched', () => {
    const pattern = compilePattern('(?i)(?:here is|there are)\\s+(a\\w*)|nowhere')

    const found = pattern.matches('Here is abc, there are all. '.repeat(500), 2_000)

    expect(found).toHaveLength(1_000)
    expect(found[999]).toEqual({ start: 13_985, end: 13_998, innerStart: 13_995, innerEnd: 13_998 })
    expect(pattern.matches('Here is abc, there are all. '.repeat(500), 7)).toHaveLength(7)
  })

  it('refuses a pattern that cannot be matched in linear time', () => {
    expect(() => compilePattern('(a)\\1')).toThrow()
    expect(() => compilePattern('(?<=a)b(?=c)')).toThrow()
  })

  it('gives the same answers after forget() without compiling again', () => {
    const pattern = compilePattern('(?i)a+b')
    expect(pattern.test('xAAb')).toBe(true)
    const compile = jest.spyOn(RE2JS, 'compile')

    pattern.forget()

    expect(pattern.test('xAAb')).toBe(true)
    expect(pattern.testExact('xAAb')).toBe(false)
    expect(compile).not.toHaveBeenCalled()
    compile.mockRestore()
  })
})
