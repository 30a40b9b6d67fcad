import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { NoAnswer } from '@stoa/shared/bus/replies.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { type Breakers, createBreakers } from './breakers.ts'

let breakers: Breakers
let said: { msg: string; downstream: string; err?: { cause?: { message: string } } }[]

beforeEach(() => {
  said = []
  const write = (line: string) => void said.push(JSON.parse(line))
  breakers = createBreakers(createLogger('gateway', 'info', { write }))
})

afterEach(() => breakers.close())

/** Runs more than enough requests that end with this error. */
async function refuse(error: Error): Promise<void> {
  for (let n = 0; n < 20; n++) {
    await breakers.run('content', () => Promise.reject(error)).catch(() => {})
  }
}

const answered = () => breakers.run('content', async () => 'an answer')

it.each([
  new AppError('unavailable'),
  new AppError('timeout'),
  new Error('an unexpected condition'),
])('the circuit breaker of content opens if requests to content fail with %s', async (error) => {
  await refuse(error)

  await expect(answered()).rejects.toMatchObject({ code: 'unavailable' })
})

it.each([
  new AppError('validation_failed'),
  new AppError('internal'),
  // Content is well if it is of another release, held by another change, busy, without a scanner, or
  // if its database takes no writes.
  ...['releases', 'held', 'busy', 'unwritable', 'unread'].map(
    (reason) => new AppError('unavailable', { reason }),
  ),
])(
  'the circuit breaker of content stays closed if content answers with the error %j',
  async (error) => {
    await refuse(error)

    expect(await answered()).toBe('an answer')
  },
)

it.each(['lost', 'away'] as const)(
  'the circuit breaker of content stays closed while the bus is %s, so that all are let in once it is back',
  async (reason) => {
    await refuse(new AppError('unavailable', {}, { cause: new NoAnswer(reason) }))

    expect(await answered()).toBe('an answer')
  },
)

it('a circuit breaker logs once that it opened and why, even if later tries fail', async () => {
  const of = breakers.all.find(({ name }) => name === 'content')
  const halfOpen = () => eventually('it lets one try', async () => of?.halfOpen)
  await refuse(new AppError('timeout', {}, { cause: new Error('the first outage') }))
  await halfOpen()
  await refuse(new AppError('timeout'))
  expect(of?.opened).toBe(true)
  await halfOpen()
  await answered()
  await refuse(new AppError('timeout', {}, { cause: new Error('the second outage') }))

  const lines = said.map(({ msg, downstream, err }) => [msg, downstream, err?.cause?.message])
  expect(lines).toEqual([
    ['circuit breaker open', 'content', 'the first outage'],
    ['circuit breaker closed', 'content', undefined],
    ['circuit breaker open', 'content', 'the second outage'],
  ])
})
