import { headers, type NatsConnection } from '@nats-io/nats-core'
import type { InputOf, OutputOf, RequestContract, ServiceName } from '../contracts/contract.ts'
import { AppError, errorFromWire } from '../errors/errors.ts'
import type { Logger } from '../process/logger.ts'
import { onceIn } from '../process/logger.ts'
import { within } from '../process/within.ts'
import { openConnection } from './connection.ts'
import { gatherWrites } from './gather-writes.ts'
import { isErrorReply, type Meta, metaToHeaders, type ReplyMeta, replyMetaFrom } from './meta.ts'
import { RawJson } from './raw-json.ts'
import { listenForReplies, NoAnswer, type Replies } from './replies.ts'
import { StreamRefusal } from './stream-refusal.ts'

/** An answer whose JSON has not been parsed: the gateway forwards it as bytes. */
export interface RawAnswer {
  json: Uint8Array
  meta: ReplyMeta
}

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
  /** Asks and hands on the answer's bytes. Throws as `request` does. */
  requestRaw<C extends RequestContract>(
    contract: C,
    input: InputOf<C> | RawJson<InputOf<C>>,
    meta: Meta,
  ): Promise<RawAnswer>
  /**
   * Puts a message into the stream of its subject and resolves when the stream has it. `id` makes
   * a repetition within the stream's window harmless. Throws StreamRefusal, or as a reply does.
   */
  publish(subject: string, payload: string, id: string): Promise<Published>
  /** Tells others who listen now; nothing is kept: only for what something slower makes good. */
  tell(subject: string, payload: unknown): void
  /** Hears what others `tell`; a message that does not parse is dropped. */
  hear(subject: string, handle: (payload: unknown) => void): void
  /**
   * Resolves when the bus has taken what was subscribed and told before; after two seconds
   * without it, too, as the client subscribes again when the bus is back.
   */
  settled(): Promise<void>
  connected(): boolean
  /**
   * Calls `lost` when the connection is lost, and `back` when it is there again, until what it returns
   * is called.
   */
  watch(watcher: Watcher): () => void
  /** Whether the bus itself answers within a second: one that hangs is connected still. */
  answers(): Promise<boolean>
  close(): Promise<void>
}

export interface Watcher {
  lost: () => void
  back: () => void
}

/** What a stream says of an event it has stored. */
export interface Published {
  stream: string
  seq: number
  /** It had stored it before, by the same id. */
  duplicate?: boolean
}

const CLOSE_DEADLINE_MS = 5_000
const SETTLED_WITHIN_MS = 2_000
const ANSWERS_WITHIN_MS = 1_000
const WARN_EVERY_MS = 10_000

/**
 * Connects as one service; it keeps reconnecting for ever, and requests fail fast meanwhile. Says so
 * in the log where the bus is away. Throws as `openConnection` does.
 */
export async function connectBus(service: ServiceName, url: string, log?: Logger): Promise<Bus> {
  const nc = await openConnection(service, url, log)
  const state = { up: true }
  const watchers = new Set<Watcher>()
  const gather = gatherWrites(nc)
  const replies = listenForReplies(nc, `_INBOX.${service}`, gather)
  void followStatus(nc, state, watchers, log)
  return {
    nc,
    gather,
    request: async (contract, input, meta) => {
      const { json } = await ask(replies, state, contract, input, meta)
      return JSON.parse(Buffer.from(json).toString()) as OutputOf<typeof contract>
    },
    requestRaw: (contract, input, meta) => ask(replies, state, contract, input, meta),
    publish: (subject, payload, id) => publishToStream(replies, subject, payload, id),
    tell: (subject, payload) => {
      if (!state.up) return
      gather()
      nc.publish(subject, JSON.stringify(payload))
    },
    hear: (subject, handle) => {
      nc.subscribe(subject, {
        callback: (error, msg) => {
          if (error) return
          try {
            handle(msg.data.length > 0 ? msg.json() : null)
          } catch {
            // A malformed notice must not end the subscription; every notice has a slower net.
          }
        },
      })
    },
    settled: () => within(SETTLED_WITHIN_MS, nc.flush()),
    connected: () => state.up,
    watch: (watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    answers: async () => {
      if (!state.up) return false
      let isAnswered = false
      const answered = nc.flush().then(() => {
        isAnswered = true
      })
      await within(ANSWERS_WITHIN_MS, answered)
      return isAnswered
    },
    close: async () => {
      await closeWithin(nc, CLOSE_DEADLINE_MS)
      replies.rejectAll()
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

async function followStatus(
  nc: NatsConnection,
  state: { up: boolean },
  watchers: ReadonlySet<Watcher>,
  log?: Logger,
): Promise<void> {
  const mayWarn = onceIn(WARN_EVERY_MS)
  let lostAt = 0
  for await (const status of nc.status()) {
    const isLost = status.type === 'disconnect' || status.type === 'staleConnection'
    if (isLost && state.up) {
      state.up = false
      lostAt = performance.now()
      log?.warn({ server: nc.getServer() }, 'the bus is lost')
      for (const { lost } of watchers) lost()
    }
    if (status.type === 'reconnect') {
      state.up = true
      const awayMs = Math.round(performance.now() - lostAt)
      log?.info({ server: status.server, away_ms: awayMs }, 'the bus is back')
      for (const { back } of watchers) back()
    }
    if (status.type === 'error' && mayWarn()) log?.warn({ err: status.error }, 'the bus refuses')
  }
  state.up = false
}

async function ask(
  replies: Replies,
  state: { up: boolean },
  contract: RequestContract,
  input: unknown,
  meta: Meta,
): Promise<RawAnswer> {
  if (!state.up) throw new AppError('unavailable', { retry_after_seconds: 2 })
  const timeout = Math.max(1, Math.min(contract.timeoutMs, meta.remainingMs))
  const hdrs = metaToHeaders({ ...meta, remainingMs: timeout })
  const payload = input instanceof RawJson ? input.json : JSON.stringify(input)
  const reply = await replies
    .ask(`rpc.${contract.name}`, payload, hdrs, timeout)
    .catch((error: unknown) => {
      throw requestFailure(error)
    })
  if (isErrorReply(reply.headers)) throw errorFromWire(reply.json())
  return { json: reply.data, meta: replyMetaFrom(reply.headers) }
}

/** What cannot be sent at all is a bug, which asking again would not mend. */
function requestFailure(error: unknown): unknown {
  if (!(error instanceof NoAnswer)) return error
  const timedOut = error.reason === 'timeout'
  const code = timedOut ? 'timeout' : 'unavailable'
  return new AppError(code, timedOut ? {} : { retry_after_seconds: 1 }, { cause: error })
}

async function closeWithin(nc: NatsConnection, deadlineMs: number): Promise<void> {
  if (nc.isClosed()) return
  await within(deadlineMs, nc.drain())
  if (!nc.isClosed()) await nc.close()
}
