import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { logFailed } from './failure-log.ts'

beforeEach(() => {
  jest.useFakeTimers()
})

afterEach(() => {
  jest.useRealTimers()
})

it('logs the first hundred failures of ten seconds, and then how many more there were', () => {
  const lines: [object, string][] = []
  const log = { warn: (about: object, said: string) => void lines.push([about, said]) }
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) logFailed(log as never, { request_id: `r${n}` })
  }

  fail(250)
  expect(lines).toHaveLength(100)
  expect(lines[99]).toEqual([{ request_id: 'r99' }, 'request failed'])

  jest.advanceTimersByTime(10_000)
  expect(lines.slice(100)).toEqual([[{ failed: 150 }, 'more requests failed than are logged']])

  fail(1)
  expect(lines.slice(101)).toEqual([[{ request_id: 'r0' }, 'request failed']])

  jest.advanceTimersByTime(10_000)
  fail(2)
  expect(lines).toHaveLength(104)
})
