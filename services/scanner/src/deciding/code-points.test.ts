import { describe, expect, it } from '@jest/globals'
import { codePointOffsets } from './code-points.ts'

describe('offsets in code points', () => {
  const text = 'a😀b\ud800c'

  it.each([
    ['before a pair', [0, 1], [0, 1]],
    ['of a pair', [1, 3], [1, 2]],
    ['behind a pair', [3, 4], [2, 3]],
    ['of half a pair, which counts as one', [4, 5], [3, 4]],
    ['of nothing, which has a place too', [3, 3], [2, 2]],
    ['of all', [0, 6], [0, 5]],
    ['beyond the end, which end there', [5, 99], [4, 5]],
  ])('are computed from UTF-16 offsets %s', (_, [start = 0, end = 0], points) => {
    expect(codePointOffsets(text, start, end)).toEqual(points)
  })
})
