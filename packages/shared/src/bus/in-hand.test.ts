import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { AckPolicy, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { eventually } from '../../../../tests/support/eventually.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { signal } from '../../../../tests/support/signal.ts'
import { forumEvent } from '../contracts/events.ts'
import { createLogger } from '../process/logger.ts'
import { type Bus, connectBus } from './bus.ts'
import { type Consuming, consume } from './consume.ts'
import { cloudEvent } from './events.ts'
import { keepInHand } from './in-hand.ts'
import { ensureStreams, STREAMS } from './streams.ts'

const ACK_WAIT_MS = 300
/** A busy machine may be late by most of this. */
const LONG_ACK_WAIT_MS = 1_500
/** The longest wait of a text that was in hand when its scanner was killed. */
const SOON_MS = 15_000

let nats: OwnNats
let operator: Bus
/** Two replicas of one service. */
let replicas: [Bus, Bus]
const running: Consuming[] = []

beforeAll(async () => {
  nats = await OwnNats.start()
  operator = await connectBus('content', nats.url)
  const replica = () => connectBus('search', nats.urlFor('search'))
  replicas = [await replica(), await replica()]
  await ensureStreams(operator.nc)
})

afterEach(async () => {
  await stopAll()
  const jsm = await jetstreamManager(operator.nc)
  await jsm.streams.purge(STREAMS.forum.name)
  await jsm.consumers.delete(STREAMS.forum.name, 'search')
})

afterAll(async () => {
  for (const bus of replicas ?? []) await bus.close()
  await operator?.close()
  await nats?.remove()
})

/** Stops the consumers, each once it has handled what it has in hand. */
async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((one) => one.stop()))
}

async function publish(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const id = `pst_${n}`
    const event = cloudEvent(forumEvent, 'content', id, {
      id,
      post_id: id,
      community_slug: 'general',
      agent_handle: 'ann',
      visibility: 'public',
      revision: 1,
    })
    await operator.publish('forum.post.published', JSON.stringify(event), event.id)
  }
}

type Handle = Parameters<typeof consume<typeof forumEvent>>[0]['handle']

async function consumeOn(bus: Bus, handle: Handle, ackWaitMs?: number): Promise<void> {
  const log = createLogger('search', 'silent')
  const { name: stream } = STREAMS.forum
  const what = { stream, durable: 'search', filter: forumEvent.subject, event: forumEvent }
  const waits = ackWaitMs === undefined ? {} : { ackWaitMs }
  running.push(await consume({ bus, log, ...what, ...waits, batchMax: 1, handle }))
}

it('an event is handled once while its consumer lives, even if that takes longer than the ack wait', async () => {
  await publish(4)
  const handled: string[] = []
  const slowly: Handle = async ([event]) => {
    await pause(LONG_ACK_WAIT_MS * 1.5)
    handled.push(event?.subject ?? '')
  }
  for (const bus of replicas) await consumeOn(bus, slowly, LONG_ACK_WAIT_MS)

  await eventually('all are done with', async () => new Set(handled).size === 4, SOON_MS)
  await stopAll()

  expect(handled.sort()).toEqual(['pst_0', 'pst_1', 'pst_2', 'pst_3'])
})

it('an event in a hung handler is delivered to another replica', async () => {
  await publish(1)
  const handed: string[] = []
  const held = signal()
  const hang = async () => {
    handed.push('hung')
    await held.given
  }
  await consumeOn(replicas[0], hang, ACK_WAIT_MS)
  await eventually('it is in hand', async () => handed.length > 0)

  await consumeOn(replicas[1], async () => void handed.push('other'), ACK_WAIT_MS)

  await eventually('another has it', async () => handed.includes('other'), SOON_MS).finally(
    held.give,
  )
})

it('a replica with a hung handler holds only two events, and another replica gets the rest', async () => {
  await publish(12)
  const handled = new Set<string>()
  const held = signal()
  const jsm = await jetstreamManager(operator.nc)
  await consumeOn(replicas[0], () => held.given, 60_000)
  await eventually('it has taken what it may', async () => {
    const { num_ack_pending } = await jsm.consumers.info(STREAMS.forum.name, 'search')
    return num_ack_pending > 1
  })

  await consumeOn(replicas[1], async ([event]) => void handled.add(event?.subject ?? ''), 60_000)

  // One batch that is handled, and the next, of one event each.
  const others = eventually('all but two', async () => handled.size === 10, SOON_MS)
  await others.finally(held.give)
})

/** A search in a process of its own, which prints what it gets and never finishes it. */
const NEVER_DONE = `
  import { connectBus } from '@stoa/shared/bus/bus.js'
  import { consume } from '@stoa/shared/bus/consume.js'
  import { STREAMS } from '@stoa/shared/bus/streams.js'
  import { forumEvent } from '@stoa/shared/contracts/events.js'
  import { createLogger } from '@stoa/shared/process/logger.js'
  await consume({
    bus: await connectBus('search', process.env.NATS_URL),
    log: createLogger('search', 'silent'),
    stream: STREAMS.forum.name,
    durable: 'search',
    filter: forumEvent.subject,
    event: forumEvent,
    batchMax: 1,
    handle: () => new Promise(() => console.log('in hand')),
  })`

it('the events in hand of a killed process are delivered to another process within 15 seconds', async () => {
  await publish(3)
  const child = spawn(process.execPath, ['--input-type=module', '-e', NEVER_DONE], {
    cwd: import.meta.dirname,
    env: { ...process.env, NATS_URL: nats.urlFor('search') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  const handled = new Set<string>()

  await consumeOn(replicas[0], async ([event]) => void handled.add(event?.subject ?? ''))

  await eventually('all three are handled', async () => handled.size === 3, SOON_MS)
})

it('a message that is not kept in hand any more is delivered again, and makes room', async () => {
  await publish(1)
  const [{ nc }] = replicas
  const jsm = await jetstreamManager(nc)
  const { name: stream } = STREAMS.forum
  const ack_wait = LONG_ACK_WAIT_MS * 1_000_000
  const settings = { durable_name: 'search', ack_policy: AckPolicy.Explicit, ack_wait }
  await jsm.consumers.add(stream, settings)
  const consumer = await jetstream(nc).consumers.get(stream, 'search')
  const inHand = keepInHand({ ackWaitMs: LONG_ACK_WAIT_MS, max: 1 })
  inHand.keep((await consumer.next()) as JsMsg)
  const room = inHand.room()

  inHand.end()

  expect(await room).toBe(1)
  // A message that was still kept would stay for longer.
  expect((await consumer.next({ expires: LONG_ACK_WAIT_MS * 5 }))?.redelivered).toBe(true)
})

it('the deliveries of a message by an old and by a new consumer are kept in hand separately', async () => {
  await publish(1)
  const [{ nc }] = replicas
  const stream = STREAMS.forum.name
  const deliver = async (): Promise<JsMsg> => {
    const jsm = await jetstreamManager(nc)
    await jsm.consumers.add(stream, { durable_name: 'search', ack_policy: AckPolicy.Explicit })
    const message = await (await jetstream(nc).consumers.get(stream, 'search')).next()
    return message as JsMsg
  }
  const first = await deliver()
  await (await jetstreamManager(operator.nc)).consumers.delete(stream, 'search')
  const second = await deliver()
  const inHand = keepInHand({ ackWaitMs: ACK_WAIT_MS, max: 4 })

  inHand.keep(first)
  inHand.keep(second)
  expect(await inHand.room()).toBe(2)
  inHand.drop([first])
  expect(await inHand.room()).toBe(3)

  inHand.end()
})
