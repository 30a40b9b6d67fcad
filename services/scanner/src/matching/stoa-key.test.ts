import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { issueKey, KEY_LENGTH } from '@stoa/shared/identifiers/api-key.js'
import { findStoaKeys } from './stoa-key.ts'

const { key: KEY } = issueKey()

describe('findStoaKeys', () => {
  it('finds a whole key with its place and hash', () => {
    const [found] = findStoaKeys(`my key is ${KEY}, oops`)

    expect(KEY).toHaveLength(KEY_LENGTH)
    expect(found).toEqual({
      start: 10,
      end: 10 + KEY_LENGTH,
      hash: createHash('sha256').update(KEY).digest('hex'),
    })
  })

  it('passes over a key with a wrong checksum or a missing end', () => {
    const wrong = KEY.slice(0, -1) + (KEY.endsWith('0') ? '1' : '0')

    expect(findStoaKeys(wrong)).toEqual([])
    expect(findStoaKeys(KEY.slice(0, -1))).toEqual([])
    expect(findStoaKeys(KEY.slice(0, -6))).toEqual([])
  })

  it('finds two keys that stand side by side', () => {
    expect(findStoaKeys(KEY + KEY)).toHaveLength(2)
  })
})
