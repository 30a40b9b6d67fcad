import type { Logger } from '@stoa/shared/logger.js'
import { Redis } from 'ioredis'

/** A slower answer is worth less than a limit counted in process. */
const COMMAND_TIMEOUT_MS = 100
const RECONNECT_MS_MAX = 2_000

/** Connects in the background: commands fail at once while there is no connection. */
export function connectRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(100 * attempt, RECONNECT_MS_MAX),
  })
  let isReported = false
  redis.on('error', (error: unknown) => {
    if (!isReported) log.warn({ err: error }, 'redis away')
    isReported = true
  })
  redis.on('ready', () => {
    isReported = false
  })
  return redis
}
