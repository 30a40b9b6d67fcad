import { describe, expect, it } from '@jest/globals'
import { crc32 } from './crc32.ts'

describe('crc32', () => {
  it('gives the check value of the CRC catalogue', () => {
    expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926)
    expect(crc32(Buffer.from(''))).toBe(0)
  })
})
