import { expect, it } from '@jest/globals'
import { countFailures } from './failures.ts'

it('failures are remembered for the events that failed or came last', () => {
  const failures = countFailures(2)
  for (const id of ['a', 'b']) failures.add(id)

  expect(failures.meet('a')).toBe(true)
  expect(failures.meet('c')).toBe(false)

  expect(failures.add('a')).toBe(2)
  expect(failures.meet('b')).toBe(false)
})
