import { setTimeout as pause } from 'node:timers/promises'
import {
  AckPolicy,
  type Consumer,
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import type { EventContract, PayloadOf, ServiceName } from '../contract.ts'
import { isAppError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Bus } from './bus.ts'
import { type CloudEvent, parseEvent } from './events.ts'
import { countFailures, type Failures } from './failures.ts'
import { inBatches } from './in-batches.ts'

export interface ConsumeSpec<C extends EventContract> {
  bus: Bus
  log: Logger
  service: ServiceName
  stream: string
  /** Name of the durable consumer; renaming it replays the stream. */
  durable: string
  /** Which subjects; one only, since servers before 2.10 know no list. */
  filter: string
  event: C
  /** At most this many events are handed over at once; what has gathered, not what must gather. */
  batchMax: number
  /** Batches begin so far apart at least, where one costs much the same whatever is in it. */
  batchEveryMs?: number
  /**
   * Must be idempotent. Throwing means "not done": the batch is tried again one by one, or, when it
   * throws `unavailable` because a store is away, as a whole and for as long as that lasts.
   */
  handle: (events: CloudEvent<PayloadOf<C>>[]) => Promise<void>
}

export interface Consuming {
  stop(): Promise<void>
}

/** What a consumer works with, besides what it was asked for. */
interface Consumption<C extends EventContract> extends ConsumeSpec<C> {
  js: JetStreamClient
  /** The server counts deliveries, and one that found a store away is no failure of the event. */
  failures: Failures
}

interface Delivery<C extends EventContract> {
  message: JsMsg
  event: CloudEvent<PayloadOf<C>>
}

const FAILURES_MAX = 8
const ACK_WAIT_MS = 30_000
const RETRY_DELAY_MS = 1_000
const AWAY_DELAY_MS = 3_000
const REOPEN_DELAY_MS = 500

/**
 * Runs a durable consumer. A message is acknowledged after `handle` returned; one that fails is
 * delivered again with a delay, and one that failed FAILURES_MAX times in this process, or does not
 * parse, is written to `dead.<durable>` before it is given up.
 */
export async function consume<C extends EventContract>(spec: ConsumeSpec<C>): Promise<Consuming> {
  const js = jetstream(spec.bus.nc)
  const jsm = await jetstreamManager(spec.bus.nc)
  const unacknowledgedMax = Math.max(256, spec.batchMax * 4)
  const config = {
    durable_name: spec.durable,
    filter_subject: spec.filter,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ACK_WAIT_MS * 1_000_000,
    max_ack_pending: unacknowledgedMax,
  }
  const open = async (): Promise<Consumer> => {
    await jsm.consumers.add(spec.stream, config)
    return js.consumers.get(spec.stream, spec.durable)
  }
  const state = { stopped: false, messages: undefined as ConsumerMessages | undefined }
  const first = await open()
  const consumption = { ...spec, js, failures: countFailures(unacknowledgedMax) }
  const loop = runLoop(consumption, open, first, state)
  return {
    stop: async () => {
      state.stopped = true
      await state.messages?.close()
      await loop
    },
  }
}

/** Reads until stopped; a consumer that was lost with its stream is made again. */
async function runLoop<C extends EventContract>(
  spec: Consumption<C>,
  open: () => Promise<Consumer>,
  first: Consumer,
  state: { stopped: boolean; messages: ConsumerMessages | undefined },
): Promise<void> {
  let consumer: Consumer | undefined = first
  while (!state.stopped && !spec.bus.nc.isClosed()) {
    try {
      consumer ??= await open()
      state.messages = await consumer.consume({
        max_messages: Math.max(64, spec.batchMax * 2),
        abort_on_missing_resource: true,
      })
      await inBatches(state.messages, {
        batchMax: spec.batchMax,
        everyMs: spec.batchEveryMs ?? 0,
        handle: (batch) => handleBatch(spec, batch),
      })
    } catch (error) {
      spec.log.warn({ err: error, consumer: spec.durable }, 'consumer interrupted')
    }
    consumer = undefined
    if (!state.stopped) await pause(REOPEN_DELAY_MS, undefined, { ref: false })
  }
}

async function handleBatch<C extends EventContract>(
  spec: Consumption<C>,
  batch: JsMsg[],
): Promise<void> {
  const good: Delivery<C>[] = []
  for (const message of batch) {
    const event = parseEvent(spec.event, message)
    if (event) good.push({ message, event })
    else await giveUp(spec, message, 'does not match its schema')
  }
  if (good.length === 0) return
  try {
    await spec.handle(good.map(({ event }) => event))
    spec.bus.gather()
    for (const { message, event } of good) {
      spec.failures.forget(event.id)
      message.ack()
    }
  } catch (error) {
    if (isAppError(error) && error.code === 'unavailable') {
      spec.log.warn(
        { err: error, consumer: spec.durable, events: good.length },
        'a store is away: retry later',
      )
      for (const { message } of good) message.nak(AWAY_DELAY_MS)
    } else if (good.length === 1) await retryLater(spec, good[0] as Delivery<C>, error)
    else for (const { message } of good) await handleBatch(spec, [message])
  }
}

async function retryLater<C extends EventContract>(
  spec: Consumption<C>,
  { message, event }: Delivery<C>,
  error: unknown,
): Promise<void> {
  const failures = spec.failures.add(event.id)
  spec.log.warn({ err: error, consumer: spec.durable, failures }, 'event not handled')
  if (failures < FAILURES_MAX) message.nak(RETRY_DELAY_MS * 2 ** (failures - 1))
  // A dead letter that is sent again by hand begins anew.
  else if (await giveUp(spec, message, 'failed too often')) spec.failures.forget(event.id)
}

/**
 * Dead letter first, then term: a crash in between only repeats the dead letter. False where it could
 * not be written, and the message comes again.
 */
async function giveUp<C extends EventContract>(
  spec: Consumption<C>,
  message: JsMsg,
  reason: string,
): Promise<boolean> {
  const { stream, streamSequence } = message.info
  try {
    await spec.js.publish(
      `dead.${spec.durable}`,
      JSON.stringify({
        reason,
        stream,
        stream_sequence: streamSequence,
        subject: message.subject,
        at: new Date().toISOString(),
        event: message.string(),
      }),
      { msgID: `dead.${spec.durable}.${stream}.${streamSequence}` },
    )
    message.term()
    return true
  } catch (error) {
    spec.log.error({ err: error, consumer: spec.durable }, 'dead letter not written')
    message.nak(RETRY_DELAY_MS * 10)
    return false
  }
}
