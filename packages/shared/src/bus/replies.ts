import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/nats-core'
import { randomToken } from '../identifiers/ids.ts'
import { afterMs } from '../process/after-ms.ts'
import { InFlight } from '../process/in-flight.ts'

/** The server's answer when nobody listens on a subject. */
const NO_RESPONDERS = 503

/** `lost` and `away` are faults of the bus itself: after the request was sent, or before. */
export class NoAnswer extends Error {
  readonly reason: 'timeout' | 'no_responders' | 'closed' | 'lost' | 'away'
  constructor(reason: NoAnswer['reason']) {
    super(reason)
    this.name = 'NoAnswer'
    this.reason = reason
  }
}

/** Whether nobody was there to take the request: it has not happened, and may be sent again. */
export function isUnheard(error: unknown): boolean {
  return reasonOf(error) === 'no_responders'
}

/** Whether no answer came in time, from a service that may have taken the request. */
export function isLate(error: unknown): boolean {
  return reasonOf(error) === 'timeout'
}

/** Whether the bus was lost with the request under way: it may or may not have happened. */
export function isLost(error: unknown): boolean {
  return reasonOf(error) === 'lost'
}

/** Whether the bus is to blame, which says nothing of the service that was asked. */
export function isOfBus(error: unknown): boolean {
  return isLost(error) || reasonOf(error) === 'away'
}

function reasonOf(error: unknown): NoAnswer['reason'] | undefined {
  const { cause } = error as { cause?: unknown }
  return cause instanceof NoAnswer ? cause.reason : undefined
}

interface Waiting {
  resolve(msg: Msg): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

export interface Replies {
  /**
   * Publishes with a reply subject and resolves with the answer. Rejects with `NoAnswer`, or with
   * the client's own error for a message that cannot be sent at all, such as one that is too large.
   */
  ask(
    subject: string,
    payload: string | Uint8Array,
    headers: MsgHdrs,
    timeoutMs: number,
  ): Promise<Msg>
  rejectAll(reason: 'closed' | 'lost'): void
}

/**
 * Request and reply over one subscription for the whole connection. The client's own `request`
 * captures two stack traces for each call in case it fails, which costs more than the call.
 */
export function listenForReplies(
  nc: NatsConnection,
  inboxPrefix: string,
  gather: () => void,
): Replies {
  const inbox = `${inboxPrefix}.${randomToken(8)}`
  const waiting = new InFlight<Waiting>()
  let asked = 0
  const take = (token: string): Waiting | undefined => {
    const found = waiting.take(token)
    if (found) clearTimeout(found.timer)
    return found
  }
  nc.subscribe(`${inbox}.*`, {
    callback: (error, msg) => {
      if (error) return
      const found = take(msg.subject.slice(inbox.length + 1))
      if (!found) return
      if (msg.headers?.code === NO_RESPONDERS) found.reject(new NoAnswer('no_responders'))
      else found.resolve(msg)
    },
  })
  return {
    ask: (subject, payload, headers, timeoutMs) =>
      new Promise<Msg>((resolve, reject) => {
        const token = (asked++).toString(36)
        const timer = afterMs(timeoutMs, () => take(token)?.reject(new NoAnswer('timeout')))
        waiting.set(token, { resolve, reject, timer })
        try {
          gather()
          nc.publish(subject, payload, { reply: `${inbox}.${token}`, headers })
        } catch (error) {
          const isClosed = nc.isClosed() || nc.isDraining()
          take(token)?.reject(isClosed ? new NoAnswer('closed') : (error as Error))
        }
      }),
    rejectAll: (reason) => {
      for (const token of waiting.keys()) take(token)?.reject(new NoAnswer(reason))
    },
  }
}
