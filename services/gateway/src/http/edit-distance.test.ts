import { describe, expect, it } from '@jest/globals'
import { editDistance, nearestName } from './edit-distance.ts'

describe('edit distance', () => {
  it('counts insertions, deletions and substitutions', () => {
    expect(editDistance('limit', 'limit', 2)).toBe(0)
    expect(editDistance('limt', 'limit', 2)).toBe(1)
    expect(editDistance('srot', 'sort', 2)).toBe(2)
  })

  it('gives up once the distance exceeds the bound', () => {
    expect(editDistance('before', 'since', 2)).toBe(3)
    expect(editDistance('a', 'abcdef', 2)).toBe(3)
  })

  it('suggests the nearest known name, and none for a short or distant one', () => {
    const names = ['q', 'sort', 'since', 'limit']

    expect(nearestName('Sinse', names)).toBe('since')
    expect(nearestName('x', names)).toBeUndefined()
    expect(nearestName('unrelated', names)).toBeUndefined()
    expect(nearestName('id', ['kind'])).toBeUndefined()
  })
})
