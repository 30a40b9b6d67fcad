import { setTimeout as pause } from 'node:timers/promises'
import type { JsMsg } from '@nats-io/jetstream'

/** What is read; `close` ends the reading behind what has been delivered. */
export interface Messages extends AsyncIterable<JsMsg> {
  close(): unknown
}

interface Batching {
  /** At most this many messages are handed over at once; what has gathered, not what must gather. */
  batchMax: number
  /** Milliseconds from the beginning of one batch to the next, at least. */
  everyMs?: number
  /** Reads on while a whole batch is waiting, where the reading itself is bounded. */
  readsOn?: boolean
  /** Ends the handing over; what has gathered by then is left. */
  signal?: AbortSignal
  handle: (batch: JsMsg[]) => Promise<void>
}

/**
 * Reads until there are no more messages, and hands over what gathered while the batch before was being
 * handled. Reading waits while a whole batch is waiting, or reads on. Rejects as `handle` does.
 */
export async function inBatches(messages: Messages, spec: Batching): Promise<void> {
  const waiting: JsMsg[] = []
  const failures: unknown[] = []
  let working: Promise<void> | undefined
  let beganAt = 0
  const work = async () => {
    try {
      while (waiting.length > 0 && !spec.signal?.aborted) {
        const waitMs = beganAt + (spec.everyMs ?? 0) - performance.now()
        if (waitMs > 0) await pause(waitMs, undefined, { ref: false })
        beganAt = performance.now()
        await spec.handle(waiting.splice(0, spec.batchMax))
      }
    } catch (error) {
      failures.push(error)
      // Ends the reading below, which may be waiting for a message that does not come.
      void messages.close()
    }
    working = undefined
  }
  for await (const message of messages) {
    if (failures.length > 0) break
    waiting.push(message)
    working ??= Promise.resolve().then(work)
    if (!spec.readsOn && waiting.length >= spec.batchMax) await working
  }
  await working
  if (failures.length > 0) throw failures[0]
}
