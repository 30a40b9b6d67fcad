import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals'
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { eventually } from '../../../../tests/support/eventually.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { signal } from '../../../../tests/support/signal.ts'
import { SCANNER_DURABLE, scanRequested } from '../contracts/scans.ts'
import { AppError } from '../errors/errors.ts'
import { createLogger } from '../process/logger.ts'
import { type Bus, connectBus } from './bus.ts'
import { consume } from './consume.ts'
import { cloudEvent } from './events.ts'
import { ensureStreams, STREAMS } from './streams.ts'

let nats: OwnNats
/** A login that may do everything, unlike any service. */
let operator: Bus
let scanner: Bus

beforeAll(async () => {
  nats = await OwnNats.start()
  operator = await connectBus('content', nats.url)
  scanner = await connectBus('scanner', nats.urlFor('scanner'))
  await ensureStreams(operator.nc)
})

afterAll(async () => {
  await scanner?.close()
  await operator?.close()
  await nats?.remove()
})

afterEach(() => {
  jest.restoreAllMocks()
})

/** How often an event may fail. */
const DELIVERIES = 8

it('a durable consumer retries an event that fails once, even if it came often while a store was away', async () => {
  await deliverInVain()
  let failures = 0
  let handled = 0
  const consuming = await consumeAs(async () => {
    failures += 1
    if (failures === 1) throw new Error('fails once')
    handled += 1
  })

  await eventually('the event is done with', async () => handled + (await deadLetters()) > 0)

  expect([handled, await deadLetters()]).toEqual([1, 0])
  await consuming.stop()
})

it('a durable consumer stops trying the events of a failed batch one by one when a store is away', async () => {
  await request(8)
  let batches = 0
  let triedInVain = 0
  let handled = 0
  const consuming = await consumeAs(
    async (events) => {
      // So that other events gather.
      await pause(50)
      if (events.length > 1) {
        batches += 1
        throw new Error('refused')
      }
      if (batches === 1) {
        triedInVain += 1
        throw new AppError('unavailable')
      }
      handled += 1
    },
    // Longer than the wait below: only what is handed back is delivered again.
    { batchMax: 8, ackWaitMs: 60_000 },
  )

  await eventually('all are done with', async () => handled === 8)

  // Of eight events; those that are tried again may come one by one.
  expect(triedInVain).toBeLessThan(4)
  await consuming.stop()
})

it('a durable consumer logs why it tries the events of a batch one by one, which takes long', async () => {
  await request(8)
  const lines: string[] = []
  const log = createLogger('scanner', 'warn', { write: (line) => void lines.push(line) })
  let handled = 0
  const consuming = await consumeAs(
    async (events) => {
      // So that other events gather.
      await pause(50)
      if (events.length > 1) throw new Error('refused')
      handled += 1
    },
    { batchMax: 8, log },
  )

  await eventually('all are done with', async () => handled === 8)

  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
    msg: 'batch not handled: trying its events one by one',
    consumer: SCANNER_DURABLE,
    err: { message: 'refused' },
  })
  await consuming.stop()
})

it('a durable consumer stops only after it has handled its events in hand', async () => {
  const jsm = await jetstreamManager(operator.nc)
  const [begun, held] = [signal(), signal()]
  const consuming = await consumeAs(() => {
    begun.give()
    return held.given
  })
  await request(1)
  await begun.given
  await eventually('it reads on', async () => (await readers()) === 1)

  let isStopped = false
  const stopping = consuming.stop().then(() => {
    isStopped = true
  })
  await eventually('nothing is read any more', async () => (await readers()) === 0)
  expect(isStopped).toBe(false)
  held.give()
  await stopping

  await scanner.settled()
  await eventually('it is done with', async () => {
    return (await jsm.streams.info(STREAMS.scan.name)).state.messages === 0
  })
})

it('a consumer that stands aside leaves events to other consumers until it takes part again or is stopped', async () => {
  const taken: string[] = []
  const take = async () => void taken.push('ours')
  const [ours, stopped] = [await consumeAs(take), await consumeAs(take)]
  for (const one of [ours, stopped]) one.standAside()
  await eventually('it reads no more', async () => (await readers()) === 0)
  const others = await consumeAs(async () => {
    // So that all of them take longer than a reader needs to come back.
    await pause(150)
    taken.push('others')
  })

  await request(8)
  await eventually('all are handled', async () => taken.length === 8)
  expect(new Set(taken)).toEqual(new Set(['others']))

  await others.stop()
  await stopped.stop()
  ours.takePart()
  await request(1)
  await eventually('it is handled', async () => taken.at(-1) === 'ours')
  await ours.stop()
})

it('a durable consumer that another release has made gets the settings of this release', async () => {
  const jsm = await jetstreamManager(operator.nc)
  const { name } = STREAMS.scan
  await (await consumeAs(async () => {})).stop()
  const { config } = await jsm.consumers.info(name, SCANNER_DURABLE)
  await jsm.consumers.update(name, SCANNER_DURABLE, { ack_wait: 60_000_000_000 })

  const consuming = await consumeAs(async () => {})

  expect((await jsm.consumers.info(name, SCANNER_DURABLE)).config).toEqual(config)
  await consuming.stop()
})

it('a durable consumer is created again after it was lost with its stream, for which it asks twice a second', async () => {
  const failedAt: number[] = []
  const log = createLogger('scanner', 'silent')
  jest.spyOn(log, 'warn').mockImplementation(() => void failedAt.push(performance.now()))
  let handled = 0
  const count: Spec['handle'] = async (events) => {
    handled += events.length
  }
  const consuming = await consumeAs(count, { log })
  await request(1)
  await eventually('it is handled', async () => handled === 1)

  const jsm = await jetstreamManager(operator.nc)
  await jsm.streams.delete(STREAMS.scan.name)
  await eventually('it has asked twice', async () => failedAt.length >= 2)
  await ensureStreams(operator.nc)
  await request(1)

  await eventually('the other is handled, too', async () => handled === 2)
  await consuming.stop()
  const [first, second] = failedAt as [number, number]
  // A timer may be a little early.
  expect(second - first).toBeGreaterThan(480)
})

it('a durable consumer starts again after its own code has thrown, not only after its handler has thrown', async () => {
  const log = createLogger('scanner', 'silent')
  jest.spyOn(log, 'warn').mockImplementationOnce(() => {
    throw new Error('the log cannot be written')
  })
  const jsm = await jetstreamManager(operator.nc)
  let tried = 0
  await request(2)
  const consuming = await consumeAs(
    async () => {
      if (++tried > 1) return
      await eventually('both are in hand', async () => {
        const info = await jsm.consumers.info(STREAMS.scan.name, SCANNER_DURABLE)
        return info.num_ack_pending === 2
      })
      throw new Error('fails once')
    },
    { log, ackWaitMs: 1_000 },
  )

  await eventually('both are handled', async () => tried === 3)
  await consuming.stop()
})

it('a durable consumer leaves no timer after it was stopped', async () => {
  const begun = jest.spyOn(globalThis, 'setInterval')
  const ended = jest.spyOn(globalThis, 'clearInterval')

  const consuming = await consumeAs(async () => {})
  await consuming.stop()

  const left = new Set<unknown>(begun.mock.results.map(({ value }) => value))
  for (const [timer] of ended.mock.calls) left.delete(timer)
  expect(begun).toHaveBeenCalled()
  expect(left.size).toBe(0)
})

it('a durable consumer hands over gathered events only after the time between batches', async () => {
  const everyMs = 200
  const beganAt: number[] = []
  const hasBegun = async () => void beganAt.push(performance.now())
  const consuming = await consumeAs(hasBegun, { batchMax: 100, batchEveryMs: everyMs })

  await eventually('three batches were handed over', async () => {
    await request(1)
    return beganAt.length === 3
  })

  const [first, second, third] = beganAt as [number, number, number]
  // A timer may be a little early.
  expect(Math.min(second - first, third - second)).toBeGreaterThan(everyMs - 20)
  await consuming.stop()
})

type Spec = Parameters<typeof consume<typeof scanRequested>>[0]

function consumeAs(handle: Spec['handle'], more: Partial<Spec> = {}) {
  const log = createLogger('scanner', 'silent')
  const { name: stream } = STREAMS.scan
  const what = { stream, durable: SCANNER_DURABLE, filter: scanRequested.subject }
  return consume({ bus: scanner, log, ...what, event: scanRequested, batchMax: 1, handle, ...more })
}

async function request(count: number): Promise<void> {
  const cases = [{ case_id: 'case_1', kind: 'post' as const, revision: 1 }]
  for (let n = 0; n < count; n++) {
    const event = cloudEvent(scanRequested, 'content', 'case_1', { cases })
    await operator.publish(scanRequested.subject, JSON.stringify(event), event.id)
  }
}

/** How many readers ask the server for more. */
async function readers(): Promise<number> {
  const jsm = await jetstreamManager(operator.nc)
  return (await jsm.consumers.info(STREAMS.scan.name, SCANNER_DURABLE)).num_waiting
}

/** Publishes an event, and hands it back as often as a consumer does whose store is away. */
async function deliverInVain(): Promise<void> {
  const jsm = await jetstreamManager(operator.nc)
  await jsm.consumers.add(STREAMS.scan.name, {
    durable_name: SCANNER_DURABLE,
    filter_subject: scanRequested.subject,
    ack_policy: AckPolicy.Explicit,
  })
  await request(1)
  const consumer = await jetstream(operator.nc).consumers.get(STREAMS.scan.name, SCANNER_DURABLE)
  for (let n = 0; n < DELIVERIES; n++) {
    const message = await consumer.next({ expires: 5_000 })
    message?.nak()
  }
}

async function deadLetters(): Promise<number> {
  const jsm = await jetstreamManager(operator.nc)
  return (await jsm.streams.info(STREAMS.dead.name)).state.messages
}
