import { expect, it } from '@jest/globals'
import { PAGE_BYTES_MAX } from '@stoa/shared/contracts/common.js'
import { page } from './cursors.ts'
import { HEAD_BYTES } from './pack-items.ts'

it('a page leaves room for its head and the envelope before its items', () => {
  const about = { object: 'texts', list: 'texts', baseUrl: 'http://forum.test', path: '/texts' }
  const rows = Array.from({ length: 2_000 }, (_, n) => ({ n }))
  const render = () => ({ text: 'x'.repeat(1_013) })

  const { json } = page(about, rows, rows.length, render, ({ n }) => [n])

  // One more item would not fit into the room that is left.
  expect(json.length).toBeGreaterThan(PAGE_BYTES_MAX - HEAD_BYTES - 1_024)
  expect(json.length).toBeLessThan(PAGE_BYTES_MAX - HEAD_BYTES / 2)
})
