import { setTimeout } from 'node:timers/promises'
import type { Logger } from '@stoa/shared/process/logger.js'
import { Redis } from 'ioredis'

/** A slower answer is worth less than a limit counted in process. */
const COMMAND_TIMEOUT_MS = 100
const SILENCE_MS_MAX = 2_000
const RECONNECT_MS_MAX = 2_000
const READY_WITHIN_MS = 1_000

/**
 * Waits a second at most for the connection, so that the first requests are counted where all
 * gateways count; from then on it comes back in the background. Commands fail at once while there
 * is none.
 */
export async function connectRedis(url: string, log: Logger): Promise<Redis> {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    // A server that is gone without a word is noticed by what it does not answer.
    socketTimeout: SILENCE_MS_MAX,
    autoResendUnfulfilledCommands: false,
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
  const ready = new Promise<void>((resolve) => redis.once('ready', resolve))
  await Promise.race([ready, setTimeout(READY_WITHIN_MS)])
  return redis
}
