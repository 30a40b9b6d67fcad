import { expect, it } from '@jest/globals'
import { countFailures } from './failures.ts'

it('are remembered of the events that were met last', () => {
  const failures = countFailures(2)
  for (const id of ['a', 'b']) failures.add(id)

  expect(failures.meet('a')).toBe(true)
  expect(failures.meet('c')).toBe(false)

  expect(failures.add('a')).toBe(2)
  expect(failures.meet('b')).toBe(false)
})
