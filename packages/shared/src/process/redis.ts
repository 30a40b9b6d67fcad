import type { EventEmitter } from 'node:events'
import { isError } from './is-error.ts'
import type { Logger } from './logger.ts'

/** The options of ioredis that are chosen here; this package depends on no store's client. */
interface Options {
  keyPrefix: string
  commandTimeout: number
  socketTimeout: number
  connectTimeout: number
  enableOfflineQueue: boolean
  autoResendUnfulfilledCommands: boolean
  maxRetriesPerRequest: number
  retryStrategy: (attempt: number) => number
}

interface Choices {
  /** What ioredis puts before each key; nothing when absent. */
  keyPrefix?: string
  commandTimeoutMs: number
  /** A server that is gone without a word is noticed after this long without an answer. */
  silenceMsMax: number
}

const CONNECT_TIMEOUT_MS = 2_000
const RECONNECT_MS_MAX = 1_000

/**
 * Connects with the given client, which is ioredis's. The connection comes back by itself. Every
 * command has a deadline and fails at once while the connection is down: nothing is queued, and
 * nothing is sent twice.
 */
export function openRedis<Client extends Pick<EventEmitter, 'on'>>(
  Redis: new (url: string, options: Options) => Client,
  url: string,
  { keyPrefix = '', commandTimeoutMs, silenceMsMax }: Choices,
  log: Logger,
): Client {
  const redis = new Redis(url, {
    keyPrefix,
    commandTimeout: commandTimeoutMs,
    socketTimeout: silenceMsMax,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), RECONNECT_MS_MAX),
  })
  logTurns(redis, log)
  return redis
}

/**
 * Logs once that Redis went away, once that it is back, and once that it is there and refuses, as
 * after a change of the password, which shows only when the client connects again.
 */
function logTurns(redis: Pick<EventEmitter, 'on'>, log: Logger): void {
  let isUp: boolean | undefined
  let isRefused = false
  let reason: unknown
  // An error event without a listener would end the process.
  redis.on('error', (error: unknown) => {
    reason = error
    if (isRefused || !isRefusal(error)) return
    log.warn({ err: error }, 'redis refuses the connection')
    isRefused = true
  })
  redis.on('ready', () => {
    if (!isUp) log.info('redis is there')
    isUp = true
    isRefused = false
    reason = undefined
  })
  redis.on('reconnecting', () => {
    if (isUp !== false) log.warn({ err: reason }, 'redis is away')
    isUp = false
  })
}

const KEPT_MS = 10_000

interface Writer {
  set(key: string, value: string, unit: 'PX', milliseconds: number): Promise<unknown>
}

/**
 * Whether Redis takes writes. A Redis that is full, follows another, or cannot write its own file
 * goes on answering reads, and refuses every write: that is `degraded`.
 */
export async function redisStatus(redis: Writer, key: string): Promise<'ok' | 'degraded' | 'down'> {
  try {
    await redis.set(key, '', 'PX', KEPT_MS)
    return 'ok'
  } catch (error) {
    return isRefusal(error) ? 'degraded' : 'down'
  }
}

/** Whether Redis itself refused, rather than not answering. */
export function isRefusal(error: unknown): error is Error {
  return isError(error) && error.name === 'ReplyError'
}
