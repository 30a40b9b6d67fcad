import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it, jest } from '@jest/globals'
import type { Msg } from '@nats-io/nats-core'
import { AppError, errorToWire } from '../errors/errors.ts'
import { createAskAgain } from './ask-again.ts'
import { errorHeaders } from './meta.ts'
import { NoAnswer } from './replies.ts'

afterEach(() => {
  jest.useRealTimers()
})

it('at most 64 repeated requests wait at once while nobody answers, and later requests are repeated, too', async () => {
  let again = 0
  const askAgain = createAskAgain(() => again++)
  const asks = { underWay: 0, most: 0, begun: 0 }
  const unanswered = async (ms: number) => {
    asks.begun++
    asks.most = Math.max(asks.most, ++asks.underWay)
    await pause(ms)
    asks.underWay--
    throw new NoAnswer('timeout')
  }

  const asked = Array.from({ length: 200 }, () => askAgain(unanswered, 1_200))
  const outcomes = await Promise.allSettled(asked)

  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(asks.most).toBe(200 + 64)
  expect(again).toBe(asks.begun - 200)

  const before = again
  await expect(askAgain(unanswered, 1_200)).rejects.toThrow('timeout')
  expect(again).toBeGreaterThan(before)
})

it('a request is not repeated after it was answered', async () => {
  const askAgain = createAskAgain(() => {})
  let asked = 0
  const answered = async () => {
    asked++
    return {} as Msg
  }
  const late = askAgain(() => pause(1_500, {} as Msg), 3_000)

  await askAgain(answered, 3_000)
  // The other request was repeated in the meantime.
  await late

  expect(asked).toBe(1)
})

it('a request is not repeated if its answer is read at the moment of the repetition', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  let again = 0
  const askAgain = createAskAgain(() => again++)
  let answer = (_: Msg) => {}
  const asked = askAgain(() => new Promise((resolve) => (answer = resolve)), 3_000)

  jest.advanceTimersByTime(700)
  answer({} as Msg)
  await asked
  await new Promise(setImmediate)

  expect(again).toBe(0)
})

it('a request is not repeated again after its repetition was answered', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  const askAgain = createAskAgain(() => {})
  let asked = 0
  const answering = askAgain(
    () => (asked++ === 0 ? new Promise(() => {}) : Promise.resolve({} as Msg)),
    3_000,
  )
  jest.advanceTimersByTime(700)
  await answering

  jest.advanceTimersByTime(200)
  await new Promise(setImmediate)

  expect(asked).toBe(2)
})

it('a repeated request gets at most the time that the first request had waited', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  const given: number[] = []
  const askAgain = createAskAgain(() => {})
  let answer = (_: Msg) => {}
  const asked = askAgain((ms) => {
    given.push(ms)
    return new Promise((resolve) => (answer = resolve))
  }, 3_000)

  jest.advanceTimersByTime(700)
  await new Promise(setImmediate)
  answer({} as Msg)
  await asked

  expect(given).toEqual([3_000, 700])
})

it('a request without an answer is repeated every 200 ms until its time is over', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  const given: number[] = []
  const askAgain = createAskAgain(() => {})
  void askAgain((ms) => {
    given.push(ms)
    return new Promise(() => {})
  }, 1_300)

  for (let n = 0; n < 20; n++) {
    jest.advanceTimersByTime(100)
    await new Promise(setImmediate)
  }

  expect(given).toEqual([1_300, 600, 400, 200])
})

it('a request waits for its first answer if the repeated request is answered with unavailable', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  const askAgain = createAskAgain(() => {})
  const busy = { headers: errorHeaders(), json: () => errorToWire(new AppError('unavailable')) }
  const answers: ((msg: Msg) => void)[] = []
  const asked = askAgain(() => new Promise((resolve) => answers.push(resolve)), 3_000)

  jest.advanceTimersByTime(700)
  await new Promise(setImmediate)
  answers[1]?.(busy as Msg)
  await new Promise(setImmediate)
  const last = {} as Msg
  answers[0]?.(last)

  expect(await asked).toBe(last)
})

it('a request is answered by the refusal of its repetition', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  const askAgain = createAskAgain(() => {})
  const refusal = { headers: errorHeaders(), json: () => errorToWire(new AppError('not_found')) }
  let asked = 0
  const answering = askAgain(
    () => (asked++ === 0 ? new Promise(() => {}) : Promise.resolve(refusal as Msg)),
    3_000,
  )

  jest.advanceTimersByTime(700)

  expect(await answering).toBe(refusal)
})

it('a request leaves no timer after it was answered', async () => {
  jest.useFakeTimers()
  const askAgain = createAskAgain(() => {})

  await askAgain(async () => ({}) as Msg, 3_000)
  await null

  expect(jest.getTimerCount()).toBe(0)
})
