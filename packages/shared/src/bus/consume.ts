import { setTimeout as pause } from 'node:timers/promises'
import {
  AckPolicy,
  type Consumer,
  type ConsumerMessages,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import type { EventContract } from '../contracts/contract.ts'
import { attemptsOf } from './attempts.ts'
import { countFailures } from './failures.ts'
import { type Consumption, type Handling, handleBatch } from './handle-batch.ts'
import { inBatches } from './in-batches.ts'
import { readMessages } from './read-messages.ts'

export interface ConsumeSpec<C extends EventContract> extends Handling<C> {
  stream: string
  /** Which subjects; one only, since servers before 2.10 know no list. */
  filter: string
  /** At most this many events are handed over at once; what has gathered, not what must gather. */
  batchMax: number
  /** Batches begin so far apart at least, where one costs much the same whatever is in it. */
  batchEveryMs?: number
  /** A batch that is not done with after so long is delivered again, here or elsewhere: 30 s. */
  ackWaitMs?: number
}

export interface Consuming {
  stop(): Promise<void>
}

const ACK_WAIT_MS = 30_000
const REOPEN_DELAY_MS = 500

/**
 * Runs a durable consumer. A message is acknowledged after `handle` returned; one that fails is
 * delivered again with a delay, and one that nobody can handle is written to `dead.<durable>` before
 * it is given up.
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
    ack_wait: (spec.ackWaitMs ?? ACK_WAIT_MS) * 1_000_000,
    max_ack_pending: unacknowledgedMax,
  }
  const open = async (): Promise<Consumer> => {
    await jsm.consumers.add(spec.stream, config)
    return js.consumers.get(spec.stream, spec.durable)
  }
  const state = { stopped: false, messages: undefined as ConsumerMessages | undefined }
  const first = await open()
  const consumption = {
    ...spec,
    js,
    failures: countFailures(unacknowledgedMax),
    attempts: await attemptsOf(spec.bus.nc, spec.durable),
  }
  const loop = runLoop(consumption, open, first, state)
  return {
    stop: async () => {
      state.stopped = true
      await state.messages?.close()
      await loop
    },
  }
}

/** Reads until stopped; a consumer that was lost, with its stream or the bus, is made again. */
async function runLoop<C extends EventContract>(
  spec: ConsumeSpec<C> & Consumption<C>,
  open: () => Promise<Consumer>,
  first: Consumer,
  state: { stopped: boolean; messages: ConsumerMessages | undefined },
): Promise<void> {
  let consumer: Consumer | undefined = first
  while (!state.stopped && !spec.bus.nc.isClosed()) {
    try {
      consumer ??= await open()
      state.messages = await readMessages(spec.bus, consumer, Math.max(64, spec.batchMax * 2))
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
