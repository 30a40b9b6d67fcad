import { describe, expect, it } from '@jest/globals'
import { PAGE_BYTES_MAX } from '@stoa/shared/contracts/common.js'
import { listJson, listStart, packItems } from './pack-items.ts'

const items = ['one', 'zwei ✓', 'three'].map((name) => JSON.stringify({ name }))

describe('a packed list of items', () => {
  it('knows at which byte of the array each item begins', () => {
    const start = listStart({ object: 'list ✓' })
    const packed = packItems(items)
    const list = listJson(start, packed).json as Buffer
    const array = list.subarray(Buffer.byteLength(start))

    expect(packed.starts.map((at) => array.toString('utf8', at, at + 10))).toEqual([
      '{"name":"o',
      '{"name":"z',
      '{"name":"t',
    ])
  })

  it.each([0, 1, 3])('of %i items is JSON of exactly the computed size', (count) => {
    const { json } = listJson(listStart({ object: 'list ✓' }), packItems(items.slice(0, count)))

    expect(JSON.parse(Buffer.from(json).toString())).toEqual({
      object: 'list ✓',
      items: items.slice(0, count).map((item) => JSON.parse(item)),
    })
  })

  it('ends early if the texts that are put into its items later would not fit', () => {
    const half = () => PAGE_BYTES_MAX / 2

    expect(packItems(items, half).count).toBe(1)
    expect(packItems(items, () => PAGE_BYTES_MAX / 3).count).toBe(2)
    expect(packItems(items).count).toBe(3)
    expect(packItems(items, () => 2 * PAGE_BYTES_MAX).count).toBe(1)
  })
})
