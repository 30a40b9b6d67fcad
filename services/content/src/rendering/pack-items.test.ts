import { describe, expect, it } from '@jest/globals'
import { PAGE_BYTES_MAX } from '@stoa/shared/contracts/common.js'
import { packItems } from './pack-items.ts'

const items = ['one', 'zwei ✓', 'three'].map((name) => JSON.stringify({ name }))

describe('packing items', () => {
  it('tells where in the array each begins, in bytes', () => {
    const { json, starts } = packItems(items)
    const array = Buffer.from(json)

    expect(JSON.parse(json)).toHaveLength(3)
    expect(starts.map((start) => array.toString('utf8', start, start + 10))).toEqual([
      '{"name":"o',
      '{"name":"z',
      '{"name":"t',
    ])
  })

  it('ends a page early where what is put into items later would not fit', () => {
    const half = () => PAGE_BYTES_MAX / 2

    expect(packItems(items, half).count).toBe(1)
    expect(packItems(items, () => PAGE_BYTES_MAX / 3).count).toBe(2)
    expect(packItems(items).count).toBe(3)
    expect(packItems(items, () => 2 * PAGE_BYTES_MAX).count).toBe(1)
  })
})
