import type { JetStreamClient, JsMsg } from '@nats-io/jetstream'
import type { EventContract, PayloadOf } from '../contracts/contract.ts'
import { isAppError } from '../errors/errors.ts'
import type { Logger } from '../process/logger.ts'
import type { Attempts } from './attempts.ts'
import type { Bus } from './bus.ts'
import { type CloudEvent, parseEvent } from './events.ts'
import type { Failures } from './failures.ts'

/** How events are handled, and in whose name. */
export interface Handling<C extends EventContract> {
  bus: Bus
  log: Logger
  /** Name of the durable consumer; renaming it replays the stream. */
  durable: string
  event: C
  /**
   * Must be idempotent. Throwing means "not done": the events are tried again one by one, or, after
   * `unavailable` because a store is away, as a whole batch for as long as that lasts.
   */
  handle: (events: CloudEvent<PayloadOf<C>>[]) => Promise<void>
}

/** What a consumer works with in addition to what it was asked for. */
export interface Consumption<C extends EventContract> extends Handling<C> {
  js: JetStreamClient
  /** Counted here: the server counts deliveries, but one that found a store away is no failure. */
  failures: Failures
  attempts: Attempts
  /** Whether to log once more that a store is away, which each batch finds. */
  mayWarn: () => boolean
}

interface Delivery<C extends EventContract> {
  message: JsMsg
  event: CloudEvent<PayloadOf<C>>
}

const FAILURES_MAX = 8
/** After this many deliveries among others, an event is suspected of ending its process. */
const UNSUSPECTED_MAX = 2
/** How many processes a suspect may end, the first of them among other suspects. */
const ENDED_MAX = 4
const RETRY_DELAY_MS = 1_000
const AWAY_DELAY_MS = 3_000

/**
 * Handles delivered messages. A message that failed FAILURES_MAX times in this process, ended
 * ENDED_MAX processes as a suspect, or does not parse, becomes a dead letter.
 */
export async function handleBatch<C extends EventContract>(
  spec: Consumption<C>,
  batch: JsMsg[],
): Promise<void> {
  const good: Delivery<C>[] = []
  const suspects: Delivery<C>[] = []
  for (const message of batch) {
    const event = parseEvent(spec.event, message)
    if (!event) await giveUp(spec, message, 'does not match its schema')
    else if (isSuspect(spec, message, event.id)) suspects.push({ message, event })
    else good.push({ message, event })
  }
  await handleTogether(spec, good)
  await handleSuspects(spec, suspects)
}

/** The event came before, but not to this process: perhaps it ended the process that took it. */
function isSuspect<C extends EventContract>(
  { failures }: Consumption<C>,
  message: JsMsg,
  id: string,
): boolean {
  const isKnown = failures.meet(id)
  return !isKnown && message.info.deliveryCount > UNSUSPECTED_MAX
}

/**
 * Notes each suspect on the bus before handling it. Suspects are first handled together: if one
 * ends the process, the next process reads the notes, and handles alone each suspect that was begun
 * before. Most are innocent: they came again only because a store was away, and would take long
 * one by one.
 */
async function handleSuspects<C extends EventContract>(
  spec: Consumption<C>,
  suspects: Delivery<C>[],
): Promise<void> {
  const first: Delivery<C>[] = []
  for (const suspect of suspects) {
    const { message } = suspect
    const begun = await noted(spec, spec.attempts.begin(message.info.streamSequence))
    if (begun === 1) {
      first.push(suspect)
      continue
    }
    if ((begun ?? 0) <= ENDED_MAX) await handleTogether(spec, [suspect])
    else if (!(await giveUp(spec, message, 'ended its consumer too often'))) continue
    await endNotes(spec, suspect)
  }
  await handleTogether(spec, first)
  for (const suspect of first) await endNotes(spec, suspect)
}

async function endNotes<C extends EventContract>(
  spec: Consumption<C>,
  { message }: Delivery<C>,
): Promise<void> {
  await noted(spec, spec.attempts.end(message.info.streamSequence))
}

/** Undefined if the bus does not take the note. */
function noted<C extends EventContract, T>(
  { log, durable }: Consumption<C>,
  noting: Promise<T>,
): Promise<T | undefined> {
  return noting.catch((error: unknown) => {
    log.warn({ err: error, consumer: durable }, 'attempt not noted')
    return undefined
  })
}

/** Returns false if a store is away, so that other events need not be tried. */
async function handleTogether<C extends EventContract>(
  spec: Consumption<C>,
  good: Delivery<C>[],
): Promise<boolean> {
  if (good.length === 0) return true
  try {
    await spec.handle(good.map(({ event }) => event))
    spec.bus.gather()
    for (const { message, event } of good) {
      spec.failures.forget(event.id)
      message.ack()
    }
  } catch (error) {
    if (isAppError(error) && error.code === 'unavailable') {
      if (spec.mayWarn()) {
        const about = { err: error, consumer: spec.durable, events: good.length }
        spec.log.warn(about, 'a store is away: retry later')
      }
      for (const { message } of good) message.nak(AWAY_DELAY_MS)
      return false
    }
    if (good.length > 1) {
      const about = { err: error, consumer: spec.durable, events: good.length }
      spec.log.warn(about, 'batch not handled: trying its events one by one')
      return handleEach(spec, good)
    }
    await retryLater(spec, good[0] as Delivery<C>, error)
  }
  return true
}

async function handleEach<C extends EventContract>(
  spec: Consumption<C>,
  good: Delivery<C>[],
): Promise<boolean> {
  for (const [i, delivery] of good.entries()) {
    if (await handleTogether(spec, [delivery])) continue
    for (const { message } of good.slice(i + 1)) message.nak(AWAY_DELAY_MS)
    return false
  }
  return true
}

async function retryLater<C extends EventContract>(
  spec: Consumption<C>,
  { message, event }: Delivery<C>,
  error: unknown,
): Promise<void> {
  const failures = spec.failures.add(event.id)
  spec.log.warn({ err: error, consumer: spec.durable, failures }, 'event not handled')
  if (failures < FAILURES_MAX) message.nak(RETRY_DELAY_MS * 2 ** (failures - 1))
  // A dead letter that is sent again by hand starts without failures.
  else if (await giveUp(spec, message, 'failed too often')) spec.failures.forget(event.id)
}

/**
 * Writes the dead letter first, then ends the message: a crash in between only repeats the dead
 * letter. Returns false if it could not be written, and the message comes again.
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
