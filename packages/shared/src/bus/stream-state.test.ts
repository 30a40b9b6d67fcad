import { expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { eventually } from '../../../../tests/support/eventually.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { connectBus } from './bus.ts'
import { canResume, timeOnBus, waitingMs } from './stream-state.ts'
import { ensureStreams, STREAMS } from './streams.ts'

it('timeOnBus is the time that the bus gives, or the time of this computer if the bus gives none', () => {
  const now = Date.now()

  expect(timeOnBus({ ts: '2026-11-24T03:00:00.123456789Z' })).toBe(
    Date.UTC(2026, 10, 24, 3, 0, 0, 123),
  )
  expect(timeOnBus({})).toBeGreaterThanOrEqual(now)
})

/** A stream that holds the messages 5 to 9. */
const STATE = { created: 'then', firstSeq: 5, lastSeq: 9, messages: 5 }

it.each([
  ['from before the first that is kept', 'then', 4, true],
  ['from the last', 'then', 9, true],
  ['from before one that was dropped', 'then', 3, false],
  ['from behind the end, which has gone back', 'then', 10, false],
  ['in a stream that was made again', 'before', 7, false],
])('canResume tells if a reader can go on %s', (_, stream, position, isSo) => {
  expect(canResume({ stream, position }, STATE)).toBe(isSo)
})

it('waitingMs is above 0 for the first kept message after dropped messages, and 0 after the last message', async () => {
  const nats = await OwnNats.start()
  const { nc, publish, close } = await connectBus('content', nats.url)
  try {
    await ensureStreams(nc)
    for (const id of ['1', '2', '3']) await publish('rank.post', '{}', id)
    const { name } = STREAMS.rank
    await (await jetstreamManager(nc)).streams.purge(name, { seq: 3 })

    await eventually('it waits', async () => (await waitingMs(nc, name, 0)) > 0)
    expect(await waitingMs(nc, name, 3)).toBe(0)
  } finally {
    await close()
    await nats.remove()
  }
})
