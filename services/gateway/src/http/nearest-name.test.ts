import { expect, it } from '@jest/globals'
import { nearestName } from './nearest-name.ts'

const NAMES = ['q', 'sort', 'since', 'limit']

it.each([
  ['limt', 'limit'],
  ['limmit', 'limit'],
  ['Sinse', 'since'],
  ['srot', 'sort'],
])('takes %s for %s: up to two letters are left out, added or changed', (unknown, meant) => {
  expect(nearestName(unknown, NAMES)).toBe(meant)
})

it.each(['x', 'unrelated', 'before', 'lmits of it', 'liiimmit'])(
  'takes %s for no name',
  (unknown) => {
    expect(nearestName(unknown, NAMES)).toBeUndefined()
  },
)

it('takes a short name for none that is much longer', () => {
  expect(nearestName('id', ['kind'])).toBeUndefined()
})
