import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import type { Bus } from './bus.ts'
import type { InHand } from './in-hand.ts'

/**
 * How long the server keeps one request for messages open. Without messages it sends a heartbeat
 * after half of that time, and if two are missing the client checks that its consumer is still
 * there.
 */
const KEPT_OPEN_MS = 10_000

/**
 * Reads the messages of a consumer until closed, until the consumer or its stream is gone, or until
 * the bus is back after it was lost. The client would go on by itself then, but if its first
 * request stays unanswered it sends the next up to 1.5 times KEPT_OPEN_MS later, and reads nothing
 * until then.
 */
export async function readMessages(
  bus: Pick<Bus, 'watch'>,
  consumer: Consumer,
  max_messages: number,
): Promise<ConsumerMessages> {
  const messages = await consumer.consume({
    max_messages,
    expires: KEPT_OPEN_MS,
    abort_on_missing_resource: true,
  })
  const unwatch = bus.watch({ back: () => void messages.close() })
  void messages.closed().finally(unwatch)
  return messages
}

/**
 * Reads as `readMessages` does, but asks only for as many messages as there is room for in hand,
 * and keeps those delivered in hand: messages that wait unread in the client could not be kept.
 */
export function readInHand(bus: Pick<Bus, 'watch'>, consumer: Consumer, inHand: InHand) {
  let isClosed = false
  let messages: ConsumerMessages | undefined
  const close = () => {
    isClosed = true
    void messages?.close()
  }
  async function* read(): AsyncGenerator<JsMsg> {
    const unwatch = bus.watch({ back: close })
    try {
      while (!isClosed) {
        const max_messages = await inHand.room()
        if (isClosed) return
        messages = await consumer.fetch({ max_messages, expires: KEPT_OPEN_MS })
        if (isClosed) void messages.close()
        for await (const message of messages) {
          inHand.keep(message)
          yield message
        }
      }
    } finally {
      unwatch()
    }
  }
  return { [Symbol.asyncIterator]: read, close }
}
