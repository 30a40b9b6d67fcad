import type { JsMsg } from '@nats-io/jetstream'
import { InFlight } from '../process/in-flight.ts'

export interface InHand {
  /** Resolves with how many more messages may be asked for, once that is half of what may be in hand. */
  room(): Promise<number>
  /** From when it was delivered on. */
  keep(message: JsMsg): void
  /** Each of these is acknowledged, or to be delivered again. */
  drop(messages: JsMsg[]): void
  /** Keeps nothing any more: what is not acknowledged is delivered again. */
  end(): void
}

/** So often within `ackWaitMs` the server is told: a process that is kept waiting may be late once or twice. */
const TOLD_TIMES = 4
/** For so many `ackWaitMs` a message is kept: its handler may hang, and another replica may not. */
const KEPT_TIMES = 8

/**
 * Tells the server which messages are still in hand here, being handled or behind one that is, so that
 * it delivers them to nobody else. So it needs to wait for an acknowledgement no longer than it takes to
 * be sure that a process is gone, and not as long as any handler may take.
 */
export function keepInHand({ ackWaitMs, max }: { ackWaitMs: number; max: number }): InHand {
  const tellEveryMs = ackWaitMs / TOLD_TIMES
  const delivered = new InFlight<{ message: JsMsg; at: number }>()
  /** The same message may be here twice: each delivery of it has a name of its own. */
  const names = new WeakMap<JsMsg, string>()
  let deliveries = 0
  let roomMade = () => {}
  const tell = () => {
    const now = performance.now()
    for (const { message, at } of delivered.values()) {
      const isKept = now - at >= tellEveryMs && now - at <= ackWaitMs * KEPT_TIMES
      if (isKept) message.working()
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
