import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { eventually } from '../../../../tests/support/eventually.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { SCANNER_DURABLE, scanRequested } from '../contracts/scans.ts'
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
}, 30_000)

afterAll(async () => {
  await scanner?.close()
  await operator?.close()
  await nats?.remove()
}, 30_000)

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
