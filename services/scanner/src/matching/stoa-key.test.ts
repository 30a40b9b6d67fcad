import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { findStoaKeys } from './stoa-key.ts'

const KEY = keyWithDigits()
const HASH = createHash('sha256').update(KEY).digest('hex')

/** One key in two thousand has no digit; without its checksum it looks like a word. */
function keyWithDigits(): string {
  const { key } = issueKey()
  return /[0-9]/.test(key.slice(0, -6)) ? key : keyWithDigits()
}

describe('findStoaKeys', () => {
  it('finds a whole key with its place and hash', () => {
    const [found] = findStoaKeys(`my key is ${KEY}, oops`)

    expect(KEY).toHaveLength(55)
    expect(found).toEqual({
      start: 10,
      end: 10 + KEY.length,
      hash: HASH,
    })
  })

  it.each([1, 2, 5, 6])(
    'finds a key that lacks the last %i characters of its checksum',
    (missing) => {
      const cut = KEY.slice(0, -missing)

      expect(findStoaKeys(`It is ${cut}…`)).toEqual([{ start: 6, end: 6 + cut.length, hash: HASH }])
    },
  )

  it('ignores a key with a wrong checksum, or without the end of its secret', () => {
    const other = (letter: string | undefined) => (letter === '0' ? '1' : '0')

    expect(findStoaKeys(KEY.slice(0, -1) + other(KEY.at(-1)))).toEqual([])
    expect(findStoaKeys(KEY.slice(0, -6) + other(KEY.at(-6)))).toEqual([])
    expect(findStoaKeys(KEY.slice(0, -7))).toEqual([])
  })

  it.each([
    ['a name', 'theLongestNameOfAnyFunctionInThisWholeModule'],
    ['a digest', 'f00dbabe'.repeat(5).padEnd(44, '0')],
    ['a stand-in', `A1b${'x'.repeat(41)}`],
    ['an alphabet', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh'],
  ])('ignores %s that is as long as a secret', (_what, text) => {
    expect(text).toHaveLength(44)
    expect(findStoaKeys(`stoa_${text}`)).toEqual([])
  })

  it('ignores a name that is longer than a secret, whichever letter follows', () => {
    const longer = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'].map(
      (letter) => `stoa_theLongestNameOfAnyFunctionInThisWholeModule${letter}`,
    )

    expect(longer.flatMap((name) => findStoaKeys(name))).toEqual([])
  })

  it('finds two keys side by side', () => {
    expect(findStoaKeys(KEY + KEY)).toHaveLength(2)
  })

  it('finds a key directly after another that lacks its checksum', () => {
    expect(findStoaKeys(KEY.slice(0, -6) + KEY)).toMatchObject([
      { start: 0, end: 49, hash: HASH },
      { start: 49, end: 49 + KEY.length, hash: HASH },
    ])
  })
})
