import { expect, it } from '@jest/globals'
import { nearestName } from './nearest-name.ts'

const NAMES = ['q', 'sort', 'since', 'limit']

it.each([
  ['limt', 'limit'],
  ['limmit', 'limit'],
  ['Sinse', 'since'],
  ['srot', 'sort'],
])(
  'the unknown name %s is taken for %s, from which it differs by at most two letters',
  (unknown, meant) => {
    expect(nearestName(unknown, NAMES)).toBe(meant)
  },
)

it.each(['x', 'unrelated', 'before', 'lmits of it', 'liiimmit'])(
  'the unknown name %s is taken for no known name',
  (unknown) => {
    expect(nearestName(unknown, NAMES)).toBeUndefined()
  },
)

it('a short unknown name is not taken for a much longer known name', () => {
  expect(nearestName('id', ['kind'])).toBeUndefined()
})
