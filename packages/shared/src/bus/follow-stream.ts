import { DeliverPolicy, type JsMsg, jetstream } from '@nats-io/jetstream'
import type { EventContract, PayloadOf } from '../contracts/contract.ts'
import type { Bus } from './bus.ts'
import { type CloudEvent, parseEvent } from './events.ts'
import { inBatches } from './in-batches.ts'
import { readMessages } from './read-messages.ts'

interface FollowSpec<C extends EventContract> {
  bus: Pick<Bus, 'nc' | 'watch'>
  stream: string
  event: C
  /** Sequence of the first message wanted, from 1 on; the caller keeps its own position. */
  fromSeq: number
  /** The most events handed over at once: those that have gathered, without waiting for more. */
  batchMax: number
  /**
   * Gets events in the stream's order, without those that do not parse, and the last sequence read.
   */
  handle: (events: CloudEvent<PayloadOf<C>>[], lastSeq: number) => Promise<void>
  /** Ends the reading when aborted. */
  signal: AbortSignal
}

/**
 * Reads a stream in order without a durable consumer, for readers that store their position
 * together with their effect. Resolves once `signal` is aborted. Rejects when `handle` does, when
 * the stream is gone, and when the bus is back after it was lost, because the stream may be another
 * one then.
 */
export async function followStream<C extends EventContract>(spec: FollowSpec<C>): Promise<void> {
  if (spec.signal.aborted) return
  const consumer = await jetstream(spec.bus.nc).consumers.get(spec.stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: spec.fromSeq,
  })
  const messages = await readMessages(spec.bus, consumer, spec.batchMax * 2)
  const close = () => void messages.close()
  spec.signal.addEventListener('abort', close, { once: true })
  if (spec.signal.aborted) close()
  try {
    await inBatches(messages, {
      batchMax: spec.batchMax,
      signal: spec.signal,
      handle: (batch) => handOver(spec, batch),
    })
    spec.signal.throwIfAborted()
    throw new Error(`reading of ${spec.stream} ended`)
  } catch (error) {
    if (!spec.signal.aborted) throw error
  } finally {
    spec.signal.removeEventListener('abort', close)
    close()
    // The server drops a consumer by itself only after five minutes. One that is already lost needs
    // no deletion.
    void consumer.delete().catch(() => {})
  }
}

async function handOver<C extends EventContract>(
  spec: FollowSpec<C>,
  batch: JsMsg[],
): Promise<void> {
  const events = batch
    .map((message) => parseEvent(spec.event, message))
    .filter((event) => event !== undefined)
  await spec.handle(events, (batch.at(-1) as JsMsg).seq)
}
