import { headers, type NatsConnection } from '@nats-io/nats-core'
import type { InputOf, OutputOf, RequestContract, ServiceName } from '../contracts/contract.ts'
import type { Logger } from '../process/logger.ts'
import { within } from '../process/within.ts'
import { ask, parseAnswer, type RawAnswer } from './ask.ts'
import { createAskAgain } from './ask-again.ts'
import { openConnection } from './connection.ts'
import { gatherWrites } from './gather-writes.ts'
import type { Meta } from './meta.ts'
import { Presence, type Watcher } from './presence.ts'
import type { RawJson } from './raw-json.ts'
import { listenForReplies, type Replies } from './replies.ts'
import { StreamRefusal } from './stream-refusal.ts'

export interface Bus {
  nc: NatsConnection
  /** Call before publishing: see gatherWrites. */
  gather(): void
  /** Asks and parses. Throws the AppError the other side threw, `timeout` or `unavailable`. */
  request<C extends RequestContract>(
    contract: C,
    input: InputOf<C>,
    meta: Meta,
  ): Promise<OutputOf<C>>
  /** Asks and returns the answer's bytes. Throws as `request` does. */
  requestRaw<C extends RequestContract>(
    contract: C,
    input: InputOf<C> | RawJson<InputOf<C>>,
    meta: Meta,
  ): Promise<RawAnswer<OutputOf<C>>>
  /** How many requests that change nothing were repeated because nobody had answered them. */
  askedAgain(): number
  /**
   * Puts a message into the stream of its subject and resolves when the stream has it. `id` makes
   * a repetition within the stream's window harmless. Throws StreamRefusal, or as a reply does.
   */
  publish(subject: string, payload: string, id: string): Promise<Published>
  /** Tells those who listen now. Nothing is stored: something slower must make up for a loss. */
  tell(subject: string, payload: unknown): void
  /**
   * Hears what others `tell` or publish, until the returned function is called. Drops a message
   * that does not parse.
   */
  hear(subject: string, handle: (payload: unknown, subject: string) => void): () => void
  /**
   * Resolves when the bus has taken all earlier subscriptions and messages, or after two seconds
   * without the bus, because the client subscribes again when the bus is back.
   */
  settled(): Promise<void>
  connected(): boolean
  /**
   * Calls `lost` when the connection is lost, and `back` when it is there again, until the returned
   * function is called.
   */
  watch(watcher: Watcher): () => void
  /** Whether the bus itself answers within a second: a bus that hangs still counts as connected. */
  answers(): Promise<boolean>
  close(): Promise<void>
  /** Ends the connection at once, and with it whatever waits for an answer. */
  cut(): void
}

/** A stream's acknowledgement of an event that it has stored. */
export interface Published {
  stream: string
  seq: number
  /** Whether the stream had stored the event before, under the same id. */
  duplicate?: boolean
}

const CLOSE_DEADLINE_MS = 5_000
const SETTLED_WITHIN_MS = 2_000
const ANSWERS_WITHIN_MS = 1_000

/**
 * Connects as one service, and reconnects for ever. Requests fail fast while the bus is away, and
 * so do requests under way when it is lost, because their answers go to a connection that is gone.
 * Logs when the bus is away. Throws as `openConnection` does.
 */
export async function connectBus(service: ServiceName, url: string, log?: Logger): Promise<Bus> {
  const nc = await openConnection(service, url, log)
  const presence = new Presence()
  const gather = gatherWrites(nc)
  const replies = listenForReplies(nc, `_INBOX.${service}`, gather)
  presence.watch({ lost: () => replies.rejectAll('lost') })
  void presence.follow(nc, log)
  let askedAgain = 0
  const line = { replies, presence, askAgain: createAskAgain(() => askedAgain++) }
  return {
    nc,
    gather,
    request: async (contract, input, meta) => parseAnswer(await ask(line, contract, input, meta)),
    requestRaw: (contract, input, meta) => ask(line, contract, input, meta),
    askedAgain: () => askedAgain,
    publish: (subject, payload, id) => publishToStream(replies, subject, payload, id),
    tell: (subject, payload) => {
      if (!presence.isUp) return
      gather()
      nc.publish(subject, JSON.stringify(payload))
    },
    hear: (subject, handle) => {
      const subscription = nc.subscribe(subject, {
        callback: (error, msg) => {
          if (error) return
          try {
            handle(msg.json(), msg.subject)
          } catch {
            // A malformed notice must not end the subscription; every notice has a slower net.
          }
        },
      })
      return () => subscription.unsubscribe()
    },
    settled: () => within(SETTLED_WITHIN_MS, nc.flush()),
    connected: () => presence.isUp,
    watch: (watcher) => presence.watch(watcher),
    answers: async () => {
      if (!presence.isUp) return false
      const answered = nc.flush().then(() => true)
      return (await within(ANSWERS_WITHIN_MS, answered)) ?? false
    },
    close: async () => {
      await closeWithin(nc, CLOSE_DEADLINE_MS)
      replies.rejectAll('closed')
    },
    cut: () => {
      void nc.close()
      replies.rejectAll('closed')
    },
  }
}

const PUBLISH_TIMEOUT_MS = 5_000

interface ApiError {
  err_code: number
  description: string
}

async function publishToStream(
  replies: Replies,
  subject: string,
  payload: string,
  id: string,
): Promise<Published> {
  const hdrs = headers()
  hdrs.set('Nats-Msg-Id', id)
  const ack = await replies.ask(subject, payload, hdrs, PUBLISH_TIMEOUT_MS)
  const { error, ...published } = ack.json<Published & { error?: ApiError }>()
  if (error) throw new StreamRefusal(error.err_code, error.description)
  return published
}

async function closeWithin(nc: NatsConnection, deadlineMs: number): Promise<void> {
  if (nc.isClosed()) return
  await within(deadlineMs, Promise.race([nc.drain(), nc.closed()]))
  if (!nc.isClosed()) await nc.close()
}
