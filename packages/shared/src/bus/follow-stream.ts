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
  /** At most this many events are handed over at once; what has gathered, not what must gather. */
  batchMax: number
  /** Gets events in the stream's order and the position behind them. What does not parse is left out. */
  handle: (events: CloudEvent<PayloadOf<C>>[], lastSeq: number) => Promise<void>
  /** Ends the reading. */
  signal: AbortSignal
}

/**
 * Reads a stream in order without a durable consumer, for readers that keep their position beside
 * their effect. Resolves once `signal` is aborted; rejects when `handle` does, when the stream is gone,
 * and when the bus is back after it was lost: the stream may be another one then.
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
    // By itself the server forgets it after five minutes; where it is lost already, so much the better.
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
