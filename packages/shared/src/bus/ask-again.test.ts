import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import type { Msg } from '@nats-io/nats-core'
import { createAskAgain } from './ask-again.ts'
import { NoAnswer } from './replies.ts'

it('has a bounded number of second questions under way where nobody answers, and asks again behind them', async () => {
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

it('asks nothing again that was answered', async () => {
  const askAgain = createAskAgain(() => {})
  let asked = 0
  const answered = async () => {
    asked++
    return {} as Msg
  }
  const late = askAgain(() => pause(1_500, {} as Msg), 3_000)

  await askAgain(answered, 3_000)
  // The other was asked again meanwhile.
  await late

  expect(asked).toBe(1)
})
