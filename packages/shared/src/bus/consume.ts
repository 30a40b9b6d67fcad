import { setTimeout as pause } from 'node:timers/promises'
import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import type { EventContract } from '../contracts/contract.ts'
import { onceIn } from '../process/logger.ts'
import { attemptsOf } from './attempts.ts'
import { countFailures } from './failures.ts'
import { type Consumption, type Handling, handleBatch } from './handle-batch.ts'
import { inBatches, type Messages } from './in-batches.ts'
import { keepInHand } from './in-hand.ts'
import { readInHand } from './read-messages.ts'

interface ConsumeSpec<C extends EventContract> extends Handling<C> {
  stream: string
  /** The subjects to consume, as one filter, since servers before 2.10 know no list of filters. */
  filter: string
  /** The most events handed over at once: those that have gathered, without waiting for more. */
  batchMax: number
  /**
   * The least time between the starts of two batches, if a batch costs much the same at any size.
   */
  batchEveryMs?: number
  /**
   * How long a process may be silent before its events in hand are delivered again; 8 s by default.
   */
  ackWaitMs?: number
}

export interface Consuming {
  stop(): Promise<void>
  /** Leaves new events to other replicas. Events in hand are still handled. */
  standAside(): void
  /** Takes events again. */
  takePart(): void
}

interface State {
  stopped: boolean
  isAside: boolean
  messages: Messages | undefined
}

/** How long a process may stand still on a busy machine and still count as alive. */
const ACK_WAIT_MS = 8_000
const REOPEN_DELAY_MS = 500
const WARN_EVERY_MS = 5_000
/** The error of servers from 2.10 on if a consumer of that name exists with other settings. */
const MADE_OTHERWISE = 10_148

/**
 * Runs a durable consumer. A message is acknowledged after `handle` returned. A message that fails
 * is delivered again with a delay, and a message that nobody can handle is written to
 * `dead.<durable>` before it is given up.
 */
export async function consume<C extends EventContract>(spec: ConsumeSpec<C>): Promise<Consuming> {
  const js = jetstream(spec.bus.nc)
  const jsm = await jetstreamManager(spec.bus.nc)
  const unacknowledgedMax = Math.max(256, spec.batchMax * 4)
  const ackWaitMs = spec.ackWaitMs ?? ACK_WAIT_MS
  const config = {
    durable_name: spec.durable,
    filter_subject: spec.filter,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ackWaitMs * 1_000_000,
    max_ack_pending: unacknowledgedMax,
  }
  const open = async (): Promise<Consumer> => {
    await jsm.consumers.add(spec.stream, config).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError && error.code === MADE_OTHERWISE)) throw error
      return jsm.consumers.update(spec.stream, spec.durable, config)
    })
    return js.consumers.get(spec.stream, spec.durable)
  }
  const state: State = { stopped: false, isAside: false, messages: undefined }
  const first = await open()
  const consumption = {
    ...spec,
    ackWaitMs,
    js,
    failures: countFailures(unacknowledgedMax),
    attempts: await attemptsOf(spec.bus.nc, spec.durable),
    mayWarn: onceIn(WARN_EVERY_MS),
  }
  const loop = runLoop(consumption, open, first, state)
  return {
    stop: async () => {
      state.stopped = true
      await state.messages?.close()
      await loop
    },
    standAside: () => {
      state.isAside = true
      void state.messages?.close()
    },
    takePart: () => {
      state.isAside = false
    },
  }
}

/** Reads until stopped. A consumer that was lost, with its stream or the bus, is created again. */
async function runLoop<C extends EventContract>(
  spec: ConsumeSpec<C> & Consumption<C> & { ackWaitMs: number },
  open: () => Promise<Consumer>,
  first: Consumer,
  state: State,
): Promise<void> {
  let consumer: Consumer | undefined = first
  while (!state.stopped && !spec.bus.nc.isClosed()) {
    // One batch waits while the batch before it is handled.
    const inHand = keepInHand({ ackWaitMs: spec.ackWaitMs, max: spec.batchMax * 2 })
    try {
      consumer ??= await open()
      await takingPart(state)
      if (state.stopped) return
      state.messages = readInHand(spec.bus, consumer, inHand)
      await inBatches(state.messages, {
        batchMax: spec.batchMax,
        everyMs: spec.batchEveryMs ?? 0,
        readsOn: true,
        handle: (batch) =>
          handleBatch(spec, batch).then(
            () => inHand.drop(batch),
            (error: unknown) => {
              inHand.end()
              throw error
            },
          ),
      })
    } catch (error) {
      spec.log.warn({ err: error, consumer: spec.durable }, 'consumer interrupted')
    } finally {
      inHand.end()
    }
    consumer = undefined
    if (!state.stopped) await pause(REOPEN_DELAY_MS, undefined, { ref: false })
  }
}

async function takingPart(state: State): Promise<void> {
  while (state.isAside && !state.stopped) await pause(REOPEN_DELAY_MS, undefined, { ref: false })
}
