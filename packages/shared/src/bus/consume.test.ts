import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
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
/** Of content, which may make streams and consumers. */
let operator: Bus
let scanner: Bus

beforeAll(async () => {
  nats = await OwnNats.start()
  operator = await connectBus('content', nats.urlFor('content'))
  scanner = await connectBus('scanner', nats.urlFor('scanner'))
  await ensureStreams(operator.nc)
})

afterAll(async () => {
  await scanner?.close()
  await operator?.close()
  await nats?.remove()
})

/** As often as an event may fail. */
const DELIVERIES = 8

it('tries an event again that fails once, however often it came while a store was away', async () => {
  await deliverInVain()
  let failures = 0
  let handled = 0
  const consuming = await consume({
    bus: scanner,
    log: createLogger('scanner', 'silent'),
    stream: STREAMS.scan.name,
    durable: SCANNER_DURABLE,
    filter: scanRequested.subject,
    event: scanRequested,
    batchMax: 1,
    handle: async () => {
      failures += 1
      if (failures === 1) throw new Error('fails once')
      handled += 1
    },
  })

  await eventually('the event is done with', async () => handled + (await deadLetters()) > 0)

  expect([handled, await deadLetters()]).toEqual([1, 0])
  await consuming.stop()
})

it('tries no more of a batch that was refused than tell that a store is away', async () => {
  const cases = [{ case_id: 'case_2', kind: 'post' as const, revision: 1 }]
  for (let n = 0; n < 8; n++) {
    const event = cloudEvent(scanRequested, 'content', 'case_2', { cases })
    await operator.publish(scanRequested.subject, JSON.stringify(event), event.id)
  }
  let batches = 0
  let triedInVain = 0
  let handled = 0
  const consuming = await consume({
    bus: scanner,
    log: createLogger('scanner', 'silent'),
    stream: STREAMS.scan.name,
    durable: SCANNER_DURABLE,
    filter: scanRequested.subject,
    event: scanRequested,
    batchMax: 8,
    handle: async (events) => {
      // So that others gather.
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
  })

  await eventually('all are done with', async () => handled === 8)

  // Of eight; what is tried again may come one by one.
  expect(triedInVain).toBeLessThan(4)
  await consuming.stop()
})

it('stops when what is in hand is handled, and not before', async () => {
  const { name: stream } = STREAMS.scan
  const jsm = await jetstreamManager(operator.nc)
  const [begun, held] = [signal(), signal()]
  const consuming = await consume({
    bus: scanner,
    log: createLogger('scanner', 'silent'),
    stream,
    durable: SCANNER_DURABLE,
    filter: scanRequested.subject,
    event: scanRequested,
    batchMax: 1,
    handle: () => {
      begun.give()
      return held.given
    },
  })
  const cases = [{ case_id: 'case_3', kind: 'post' as const, revision: 1 }]
  const event = cloudEvent(scanRequested, 'content', 'case_3', { cases })
  await operator.publish(scanRequested.subject, JSON.stringify(event), event.id)
  const readers = async () => (await jsm.consumers.info(stream, SCANNER_DURABLE)).num_waiting
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
    return (await jsm.streams.info(stream)).state.messages === 0
  })
})

/** Publishes an event, and hands it back so often as a consumer does whose store is away. */
async function deliverInVain(): Promise<void> {
  const jsm = await jetstreamManager(operator.nc)
  await jsm.consumers.add(STREAMS.scan.name, {
    durable_name: SCANNER_DURABLE,
    filter_subject: scanRequested.subject,
    ack_policy: AckPolicy.Explicit,
  })
  const cases = [{ case_id: 'case_1', kind: 'post' as const, revision: 1 }]
  const event = cloudEvent(scanRequested, 'content', 'case_1', { cases })
  await operator.publish(scanRequested.subject, JSON.stringify(event), event.id)
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
