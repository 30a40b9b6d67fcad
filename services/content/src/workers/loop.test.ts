import { setImmediate as askedSomebody } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { signal } from '../../../../tests/support/signal.ts'
import { startLoop } from './loop.ts'

const log = createLogger('content', 'silent')
const NEVER_MS = 60_000

it('a loop runs at once when it is woken, even if it is woken during a turn', async () => {
  let turns = 0
  const loop = startLoop('test', NEVER_MS, log, async () => {
    turns++
    await askedSomebody()
    if (turns === 1) loop.wake()
    return 'rest'
  })
  await eventually('the second turn', async () => turns === 2)

  loop.wake()

  await eventually('the third turn', async () => turns === 3)
  await loop.close()
})

it('a loop waits for a second after a failed turn, however often it is woken', async () => {
  const beganAt = performance.now()
  let turns = 0
  const loop = startLoop('test', NEVER_MS, log, async () => {
    turns++
    await askedSomebody()
    loop.wake()
    if (turns === 1) throw new Error('what it leans on is away')
    return NEVER_MS
  })

  await eventually('the second turn', async () => {
    loop.wake()
    return turns >= 2
  })

  expect(performance.now() - beganAt).toBeGreaterThan(900)
  await loop.close()
})

it('a loop whose turns succeed again runs at once when it is woken', async () => {
  let turns = 0
  const loop = startLoop('test', NEVER_MS, log, async () => {
    turns++
    if (turns === 1) throw new Error('what it leans on is away')
    return 'rest'
  })
  await eventually('the second turn', async () => turns === 2)

  loop.wake()

  await eventually('the third turn', async () => turns === 3)
  await loop.close()
})

const fail = async () => {
  throw new Error('what it leans on is away')
}

it('a loop logs the same failure of several turns once', async () => {
  const lines: string[] = []
  const kept = createLogger('content', 'warn', { write: (line) => void lines.push(line) })
  let turns = 0
  const loop = startLoop('test', NEVER_MS, kept, async () => {
    turns++
    return fail()
  })

  await eventually('the third turn', async () => turns === 3)

  await loop.close()
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      worker: 'test',
      msg: 'worker turn failed',
      err: expect.objectContaining({ message: 'what it leans on is away' }),
    }),
  ])
})

it.each([
  ['rests', async () => 'rest' as const],
  ['waits after a failed turn', fail],
])('a loop ends at once while it %s', async (_, turn) => {
  let turns = 0
  const loop = startLoop('test', NEVER_MS, log, () => {
    turns++
    return turn()
  })
  await eventually('a turn', async () => turns > 0)
  await askedSomebody()
  const beganAt = performance.now()

  await loop.close()

  expect(performance.now() - beganAt).toBeLessThan(900)
})

it('a loop logs no failure of a turn that is cut short by the end of the service', async () => {
  const lines: string[] = []
  const kept = createLogger('content', 'warn', { write: (line) => void lines.push(line) })
  const cut = signal()
  const loop = startLoop('test', NEVER_MS, kept, () => cut.given.then(fail))

  const closing = loop.close()
  cut.give()
  await closing

  expect(lines).toEqual([])
})

it('a loop leaves no timer behind after it was woken and closed', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  let turns = 0
  const loop = startLoop('test', NEVER_MS, log, async () => {
    turns++
    return 'rest'
  })
  await askedSomebody()

  loop.wake()
  await askedSomebody()
  await loop.close()

  expect([turns, timers()]).toEqual([2, before])
})
