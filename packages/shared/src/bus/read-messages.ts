import type { Consumer, ConsumerMessages } from '@nats-io/jetstream'
import type { Bus } from './bus.ts'

/**
 * How long the server keeps one question for messages open. While it has none it gives a sign of life
 * after half of that, and where two are missing the client asks whether its consumer is still there.
 */
const KEPT_OPEN_MS = 10_000

/**
 * Reads what a consumer has, until it is closed, the consumer or its stream is gone, or the bus is back
 * after it was lost. By itself the client would go on then, but if its first question stays without an
 * answer it asks the next one up to 1.5 times KEPT_OPEN_MS later, and reads nothing until then.
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
  const unwatch = bus.watch({ lost: () => {}, back: () => void messages.close() })
  void messages.closed().finally(unwatch)
  return messages
}
