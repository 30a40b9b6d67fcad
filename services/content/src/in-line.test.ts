import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { signal } from '../../../tests/support/signal.ts'
import { inLine } from './in-line.ts'

const WAIT_MS = 1_000

beforeEach(() => {
  jest.useFakeTimers()
})

afterEach(() => {
  jest.useRealTimers()
})

it('a line runs its limit of works at once and the others in order, even if one of them fails', async () => {
  const line = inLine(2, WAIT_MS)
  const begun: number[] = []
  const atOnce: number[] = []
  let running = 0
  const works = [0, 1, 2, 3, 4].map((n) =>
    line.run(async () => {
      begun.push(n)
      atOnce.push(++running)
      await Promise.resolve()
      running--
      if (n === 0) throw new Error('refused')
    }),
  )

  const ends = (await Promise.allSettled(works)).map(({ status }) => status)

  expect(ends).toEqual(['rejected', ...Array(4).fill('fulfilled')])
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(Math.max(...atOnce)).toBe(2)
})

it('a line gives no place to a work that it refused, so that later works still run', async () => {
  const line = inLine(1, WAIT_MS)
  const end = signal()
  const running = line.run(() => end.given)
  const late = expect(line.run(async () => {})).rejects.toMatchObject({ code: 'unavailable' })

  jest.advanceTimersByTime(WAIT_MS)
  await late
  expect(line.waiting()).toBe(0)
  end.give()
  await running

  expect(await line.run(async () => 'let in')).toBe('let in')
})

it('a line does not drop another waiting work when the wait of a work that has begun runs out', async () => {
  const line = inLine(1, WAIT_MS)
  const [first, second] = [signal(), signal()]
  const running = [line.run(() => first.given), line.run(() => second.given)]
  first.give()
  await running[0]
  jest.advanceTimersByTime(WAIT_MS / 2)
  const last = line.run(async () => 'let in')

  jest.advanceTimersByTime(WAIT_MS / 2)
  expect(line.waiting()).toBe(1)
  second.give()

  expect(await last).toBe('let in')
})

it('a line leaves places to other kinds of work, however many of one kind wait', async () => {
  const line = inLine(4, WAIT_MS, 3)
  const end = signal()
  const begun: string[] = []
  const one = (kind: string) =>
    line.run(async () => {
      begun.push(kind)
      await end.given
    }, kind)
  const works = ['slow', 'slow', 'slow', 'slow', 'slow', 'other', 'other'].map(one)

  expect(begun).toEqual(['slow', 'slow', 'slow', 'other'])
  expect(line.waiting()).toBe(3)
  end.give()
  await Promise.all(works)

  expect(begun).toHaveLength(7)
})

it('a line gives a free place to the first work that may take it, past earlier works of a kind that may not', async () => {
  const line = inLine(2, WAIT_MS, 1)
  const [slow, other] = [signal(), signal()]
  const running = [line.run(() => slow.given, 'slow'), line.run(() => other.given, 'other')]
  const waiting = line.run(async () => {}, 'slow')
  const passing = line.run(async () => 'let in', 'other')

  other.give()
  await running[1]

  expect(line.waiting()).toBe(1)
  expect(await passing).toBe('let in')
  slow.give()
  await Promise.all([running[0], waiting])
})
