import type { Logger } from '@stoa/shared/process/logger.js'
import { Redis } from 'ioredis'

const CONNECT_TIMEOUT_MS = 2_000
const RECONNECT_MAX_MS = 1_000

/**
 * A connection that comes back by itself. Every command has a deadline and fails at once while the
 * connection is down: nothing is queued, and nothing is sent twice.
 */
export function connectRedis(url: string, commandTimeoutMs: number, log: Logger): Redis {
  const redis = new Redis(url, {
    commandTimeout: commandTimeoutMs,
    // A server that is gone without a word is noticed by what it does not answer.
    socketTimeout: commandTimeoutMs * 2,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), RECONNECT_MAX_MS),
  })
  let up: boolean | undefined
  const turned = (now: boolean) => {
    if (up === now) return
    up = now
    if (now) log.info('redis is there')
    else log.warn('redis is away')
  }
  redis.on('ready', () => turned(true))
  redis.on('reconnecting', () => turned(false))
  // An unheard error event would end the process; the change of state is logged above, once.
  redis.on('error', () => {})
  return redis
}
