import type { JsMsg } from '@nats-io/jetstream'
import { InFlight } from '../process/in-flight.ts'

export interface InHand {
  /** Resolves with the number of messages to ask for, once that is at least half of the maximum. */
  room(): Promise<number>
  /** Keeps a message from its delivery on. */
  keep(message: JsMsg): void
  /** Forgets messages that are acknowledged, or will be delivered again. */
  drop(messages: JsMsg[]): void
  /** Forgets all messages: those that are not acknowledged are delivered again. */
  end(): void
}

/** How often the server is told per `ackWaitMs`: a busy process may be late once or twice. */
const TOLD_TIMES = 4
/** For how many `ackWaitMs` a message is kept: a hanging handler may succeed on another replica. */
const KEPT_TIMES = 8

/**
 * Tells the server which messages are in hand here, being handled or waiting for one that is, so
 * that it delivers them to no other replica. So the server waits for an acknowledgement only until
 * it can be sure that a process is gone, and not as long as any handler may take.
 */
export function keepInHand({ ackWaitMs, max }: { ackWaitMs: number; max: number }): InHand {
  const tellEveryMs = ackWaitMs / TOLD_TIMES
  const delivered = new InFlight<{ message: JsMsg; at: number }>()
  /** The same message may be here twice, so each delivery of it has a name of its own. */
  const names = new WeakMap<JsMsg, string>()
  let deliveries = 0
  let roomMade = () => {}
  const tell = () => {
    const now = performance.now()
    for (const { message, at } of delivered.values()) {
      if (now - at <= ackWaitMs * KEPT_TIMES) message.working()
    }
  }
  const telling = setInterval(tell, tellEveryMs).unref()
  return {
    room: async () => {
      while (delivered.size > max / 2) {
        await new Promise<void>((resolve) => {
          roomMade = resolve
        })
      }
      return max - delivered.size
    },
    keep: (message) => {
      const name = `${deliveries++}`
      names.set(message, name)
      delivered.set(name, { message, at: performance.now() })
    },
    drop: (messages) => {
      for (const message of messages) delivered.take(names.get(message) ?? '')
      roomMade()
    },
    end: () => {
      clearInterval(telling)
      delivered.clear()
      roomMade()
    },
  }
}
