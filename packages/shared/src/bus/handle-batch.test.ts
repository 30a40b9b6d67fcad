import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { AckPolicy, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { eventually } from '../../../../tests/support/eventually.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { SCANNER_DURABLE, scanRequested } from '../contracts/scans.ts'
import { createLogger } from '../process/logger.ts'
import { type Bus, connectBus } from './bus.ts'
import { type Consuming, consume } from './consume.ts'
import { cloudEvent } from './events.ts'
import { ensureStreams, STREAMS } from './streams.ts'

let nats: OwnNats
let operator: Bus
let scanner: Bus
let consuming: Consuming
const logged: string[] = []

beforeAll(async () => {
  nats = await OwnNats.start()
  operator = await connectBus('content', nats.url)
  scanner = await connectBus('scanner', nats.urlFor('scanner'))
})

afterEach(async () => {
  await consuming.stop()
  const jsm = await jetstreamManager(operator.nc)
  for (const { name } of [STREAMS.scan, STREAMS.dead]) await jsm.streams.delete(name)
})

afterAll(async () => {
  await scanner?.close()
  await operator?.close()
  await nats?.remove()
})

type Handle = Parameters<typeof consume<typeof scanRequested>>[0]['handle']

async function consumeAll(handle: Handle, batchMax = 1): Promise<void> {
  consuming = await consume({
    bus: scanner,
    log: createLogger('scanner', 'info', { write: (line: string) => void logged.push(line) }),
    stream: STREAMS.scan.name,
    durable: SCANNER_DURABLE,
    filter: scanRequested.subject,
    event: scanRequested,
    batchMax,
    handle,
  })
}

const consumeNone = () => consumeAll(() => Promise.reject(new Error('was handed over')))

/** A message that cannot be read as an event. */
const NO_EVENT = '{"cases":"none"}'

async function isDeadLetter(): Promise<void> {
  const jsm = await jetstreamManager(operator.nc)
  const letter = await eventually('it is a dead letter', () =>
    jsm.streams.getMessage(STREAMS.dead.name, { seq: 1 }),
  )
  expect(letter.json()).toMatchObject({
    reason: 'does not match its schema',
    stream: STREAMS.scan.name,
    event: NO_EVENT,
  })
}

it('a durable consumer moves an unreadable message to the dead letters', async () => {
  await ensureStreams(operator.nc)
  await operator.publish(scanRequested.subject, NO_EVENT, 'unreadable')

  await consumeNone()

  await isDeadLetter()
})

it('a durable consumer keeps an unreadable message while no dead letter can be written', async () => {
  await ensureStreams(operator.nc)
  const jsm = await jetstreamManager(operator.nc)
  await jsm.streams.delete(STREAMS.dead.name)
  await operator.publish(scanRequested.subject, NO_EVENT, 'unreadable')
  await consumeNone()
  await eventually('it was tried', async () => logged.join().includes('dead letter not written'))

  await consuming.stop()
  await scanner.settled()
  // Otherwise the message comes again some seconds later.
  await jsm.consumers.delete(STREAMS.scan.name, SCANNER_DURABLE)
  await ensureStreams(operator.nc)
  await consumeNone()

  await isDeadLetter()
})

/** How often one event may fail; each copy of it counts, so the test waits for no repeat. */
const FAILURES_MAX = 8

it('a durable consumer gives up an event after 8 failures, and counts from zero if it is sent again', async () => {
  await ensureStreams(operator.nc)
  const event = cloudEvent(scanRequested, 'content', 'case_1', {
    cases: [{ case_id: 'case_1', kind: 'post', revision: 1 }],
  })
  let copies = 0
  const send = () =>
    operator.publish(scanRequested.subject, JSON.stringify(event), `copy ${copies++}`)
  let tries = 0
  await consumeAll(async () => {
    tries += 1
    if (tries <= FAILURES_MAX + 1) throw new Error('fails')
  })

  while (copies < FAILURES_MAX) await send()
  const jsm = await jetstreamManager(operator.nc)
  const letters = () => jsm.streams.getMessage(STREAMS.dead.name, { seq: 1 })
  const letter = await eventually('it is a dead letter', letters)
  await send()
  await eventually('it failed once more, and then did not', async () => tries > FAILURES_MAX + 1)

  const failed = { reason: 'failed too often', stream_sequence: FAILURES_MAX }
  expect(letter.json()).toMatchObject({ ...failed, event: JSON.stringify(event) })
  expect((await jsm.streams.info(STREAMS.dead.name)).state.messages).toBe(1)
})

it('a durable consumer waits longer before each retry of a failing event', async () => {
  await ensureStreams(operator.nc)
  const event = cloudEvent(scanRequested, 'content', 'case_1', {
    cases: [{ case_id: 'case_1', kind: 'post', revision: 1 }],
  })
  await operator.publish(scanRequested.subject, JSON.stringify(event), 'fails')
  const tried: number[] = []

  await consumeAll(async () => {
    tried.push(performance.now())
    if (tried.length < 3) throw new Error('fails')
  })
  await eventually('it did not fail the third time', async () => tried.length === 3)

  const [first = 0, second = 0, third = 0] = tried
  expect(second - first).toBeGreaterThanOrEqual(1_000)
  expect(third - second).toBeGreaterThanOrEqual(2_000)
})

it('a durable consumer counts the failures of an event, even if it handles many others in between', async () => {
  await ensureStreams(operator.nc)
  const anEvent = () =>
    cloudEvent(scanRequested, 'content', 'case_1', {
      cases: [{ case_id: 'case_1', kind: 'post', revision: 1 }],
    })
  const [bad, ...others] = Array.from({ length: 301 }, anEvent)
  const copies = Array.from({ length: FAILURES_MAX }, () => bad)
  const last = copies.splice(-1)
  for (const [n, event] of [...copies, ...others, ...last].entries())
    await operator.publish(scanRequested.subject, JSON.stringify(event), `message ${n}`)
  let tries = 0

  await consumeAll(async ([event]) => {
    if (event?.id === bad?.id && ++tries <= FAILURES_MAX) throw new Error('fails')
  })

  const jsm = await jetstreamManager(operator.nc)
  const letter = await eventually('it is a dead letter', () =>
    jsm.streams.getMessage(STREAMS.dead.name, { seq: 1 }),
  )
  expect(letter.json()).toMatchObject({ reason: 'failed too often', event: JSON.stringify(bad) })
})

it('an unreadable message becomes one dead letter, even if its consumer was killed before the acknowledgement', async () => {
  await ensureStreams(operator.nc)
  await operator.publish(scanRequested.subject, NO_EVENT, 'unreadable')
  await consumeNone()
  await isDeadLetter()
  await consuming.stop()
  const jsm = await jetstreamManager(operator.nc)
  // A consumer that knows of no message, at the same place of the stream.
  const { config } = await jsm.streams.info(STREAMS.scan.name)
  await jsm.streams.delete(STREAMS.scan.name)
  await jsm.streams.add(config)
  await operator.publish(scanRequested.subject, NO_EVENT, 'unreadable')

  await consumeNone()

  await eventually('it is given up again', async () => {
    return (await jsm.streams.info(STREAMS.scan.name)).state.messages === 0
  })
  expect((await jsm.streams.info(STREAMS.dead.name)).state.messages).toBe(1)
})

/** Delivers events that an earlier process never acknowledged, often enough to suspect them. */
async function deliverInVain(count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => `case_${n + 1}`)
  for (const id of ids) {
    const event = cloudEvent(scanRequested, 'content', id, {
      cases: [{ case_id: id, kind: 'post', revision: 1 }],
    })
    await operator.publish(scanRequested.subject, JSON.stringify(event), event.id)
  }
  const jsm = await jetstreamManager(operator.nc)
  await jsm.consumers.add(STREAMS.scan.name, {
    durable_name: SCANNER_DURABLE,
    filter_subject: scanRequested.subject,
    ack_policy: AckPolicy.Explicit,
  })
  const consumer = await jetstream(operator.nc).consumers.get(STREAMS.scan.name, SCANNER_DURABLE)
  for (let n = 0; n < 3; n++) {
    const messages: JsMsg[] = []
    const fetched = await consumer.fetch({ max_messages: count, expires: 5_000 })
    for await (const message of fetched) messages.push(message)
    for (const message of messages) message.nak()
  }
  return ids
}

it('a durable consumer handles often delivered events together, except an event that was begun alone', async () => {
  await ensureStreams(operator.nc)
  const came = await deliverInVain(5)
  // As if the second event had ended the process that handled it by itself.
  await operator.publish(`attempt.${SCANNER_DURABLE}.2`, '', 'begun')
  const batches: string[][] = []

  await consumeAll(async (events) => {
    batches.push(events.map(({ data }) => data.cases[0]?.case_id ?? ''))
  }, 5)

  await eventually('all are handled', async () => batches.flat().length >= came.length)
  expect(batches.flat().sort()).toEqual(came)
  expect(batches).toContainEqual(['case_2'])
  expect(batches.length).toBeLessThan(came.length)
  const jsm = await jetstreamManager(operator.nc)
  await eventually('no note is left', async () => {
    return (await jsm.streams.info(STREAMS.attempts.name)).state.messages === 0
  })
})

it('a durable consumer notes nothing of an event that comes for the first time', async () => {
  await ensureStreams(operator.nc)
  const jsm = await jetstreamManager(operator.nc)
  const notes = async () => (await jsm.streams.info(STREAMS.attempts.name)).state.last_seq
  const before = await notes()
  const event = cloudEvent(scanRequested, 'content', 'case_1', {
    cases: [{ case_id: 'case_1', kind: 'post', revision: 1 }],
  })
  await operator.publish(scanRequested.subject, JSON.stringify(event), event.id)

  await consumeAll(async () => {})

  await eventually('it is done with', async () => {
    return (await jsm.streams.info(STREAMS.scan.name)).state.messages === 0
  })
  expect(await notes()).toBe(before)
})

it('a durable consumer handles an often delivered event, even if it cannot note the attempt', async () => {
  await ensureStreams(operator.nc)
  const jsm = await jetstreamManager(operator.nc)
  await jsm.streams.delete(STREAMS.attempts.name)
  await deliverInVain()
  logged.length = 0

  await consumeAll(async () => {})

  await eventually('it is done with', async () => {
    return (await jsm.streams.info(STREAMS.scan.name)).state.messages === 0
  })
  const said = () => logged.map((line) => JSON.parse(line).msg)
  // Before the event was begun, and when it was ended.
  await eventually('both are told of', async () => said().length >= 2)
  expect(said()).toEqual(['attempt not noted', 'attempt not noted'])
})

it('an event that ended its consumer too often is not handled again, even if no dead letter can be written', async () => {
  await ensureStreams(operator.nc)
  await deliverInVain()
  const endings = 5
  for (let n = 0; n < endings; n++)
    await operator.publish(`attempt.${SCANNER_DURABLE}.1`, '', `ending ${n}`)
  const jsm = await jetstreamManager(operator.nc)
  await jsm.streams.delete(STREAMS.dead.name)
  logged.length = 0

  await consumeNone()
  await eventually('it was tried', async () => logged.join().includes('dead letter not written'))
  await consuming.stop()
  await ensureStreams(operator.nc)

  expect(logged.join()).not.toContain('was handed over')
  const { state } = await jsm.streams.info(STREAMS.attempts.name)
  expect(state.messages).toBeGreaterThan(endings)
})
