import { setTimeout as pause } from 'node:timers/promises'
import type { JsMsg } from '@nats-io/jetstream'

/** The messages to read; `close` ends the reading after those that have been delivered. */
export interface Messages extends AsyncIterable<JsMsg> {
  close(): unknown
}

interface Batching {
  /** The most messages handed over at once: those that have gathered, without waiting for more. */
  batchMax: number
  /** The least time from the beginning of one batch to the next, in milliseconds. */
  everyMs?: number
  /** Reads on while a whole batch is waiting, for a source that is bounded itself. */
  readsOn?: boolean
  /** Ends the handing over; messages that have gathered by then are left. */
  signal?: AbortSignal
  handle: (batch: JsMsg[]) => Promise<void>
}

/**
 * Reads until there are no more messages, and hands over those that gathered while the batch before
 * was handled. While a whole batch is waiting, the reading pauses unless `readsOn` is set. Rejects
 * as `handle` does.
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
      // Ends the loop below, which may be waiting for a message that does not come.
      void messages.close()
    }
    working = undefined
  }
  for await (const message of messages) {
    if (failures.length > 0) break
    waiting.push(message)
    working ??= work()
    if (!spec.readsOn && waiting.length >= spec.batchMax) await working
  }
  await working
  if (failures.length > 0) throw failures[0]
}
