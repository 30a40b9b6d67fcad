import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { findStoaKeys, STOA_KEY_LENGTH, stoaKeyChecksum } from './stoa-key.ts'

const HEAD = ['stoa', '_', 'AbCdEf012345', 'zYxWvUtSrQpOnMlKjIhGfEdCbA987654'].join('')
const KEY = HEAD + stoaKeyChecksum(HEAD)

describe('findStoaKeys', () => {
  it('finds a whole key with its place and hash', () => {
    const [found] = findStoaKeys(`my key is ${KEY}, oops`)

    expect(KEY).toHaveLength(STOA_KEY_LENGTH)
    expect(found).toEqual({
      start: 10,
      end: 10 + STOA_KEY_LENGTH,
      hash: createHash('sha256').update(KEY).digest('hex'),
    })
  })

  it('passes over a key with a wrong checksum or a missing end', () => {
    const wrong = KEY.slice(0, -1) + (KEY.endsWith('0') ? '1' : '0')

    expect(findStoaKeys(wrong)).toEqual([])
    expect(findStoaKeys(KEY.slice(0, -1))).toEqual([])
    expect(findStoaKeys(HEAD)).toEqual([])
  })

  it('finds two keys that stand side by side', () => {
    expect(findStoaKeys(KEY + KEY)).toHaveLength(2)
  })
})
