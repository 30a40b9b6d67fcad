import { expect, it } from '@jest/globals'
import { isSameState } from './document-state.ts'

const state = { version: 1, created_at: 7 }

it.each([
  ['another version', { ...state, version: 2 }, false],
  ['another time', { ...state, created_at: 8 }, false],
  ['no document', undefined, false],
  ['the same', { ...state }, true],
  ['its version from content that tells no times', { version: 1, created_at: undefined }, true],
])('isSameState compares version and time of a state and %s', (_, other, isSame) => {
  expect([isSameState(state, other), isSameState(other, state)]).toEqual([isSame, isSame])
})
