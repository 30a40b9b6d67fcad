import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { AppError } from '@stoa/shared/errors/errors.js'
import { logFailure } from './failure-log.ts'

beforeEach(() => {
  jest.useFakeTimers()
})

afterEach(() => {
  jest.useRealTimers()
})

it('the failure log writes the first 100 failures of ten seconds, and then the number of the others', () => {
  const lines: [object, string][] = []
  const log = { warn: (about: object, said: string) => void lines.push([about, said]) }
  const away = new AppError('unavailable')
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) logFailure(log as never, { request_id: `r${n}` }, away, away)
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

it('the failure log calls an exception of the gateway a bug, but not an internal error of another service', () => {
  const lines: [string, object, string][] = []
  const note = (level: string) => (about: object, said: string) =>
    void lines.push([level, about, said])
  const log = { error: note('error'), warn: note('warn'), debug: note('debug') } as never
  const internal = new AppError('internal')
  const broken = new TypeError('x is undefined')

  logFailure(log, { request_id: 'here' }, internal, broken)
  logFailure(log, { request_id: 'there' }, internal, internal)

  expect(lines).toEqual([
    ['error', { request_id: 'here', err: broken }, 'bug'],
    ['warn', { request_id: 'there' }, 'request failed'],
  ])
})
