import type { Logger } from '@stoa/shared/process/logger.js'
import { openRedis } from '@stoa/shared/process/redis.js'
import { within } from '@stoa/shared/process/within.js'
import { Redis } from 'ioredis'

/** A slower answer is worth less than a limit counted in process. */
const COMMAND_TIMEOUT_MS = 100
const SILENCE_MS_MAX = 2_000
const READY_WITHIN_MS = 1_000

/**
 * Waits a second at most for the connection, so that the first requests are counted in Redis, where
 * all gateways count. After that the connection comes up in the background.
 */
export async function connectRedis(url: string, keyPrefix: string, log: Logger): Promise<Redis> {
  const patience = { commandTimeoutMs: COMMAND_TIMEOUT_MS, silenceMsMax: SILENCE_MS_MAX }
  const redis = openRedis(Redis, url, { ...patience, keyPrefix }, log)
  const ready = new Promise<void>((resolve) => redis.once('ready', resolve))
  await within(READY_WITHIN_MS, ready)
  return redis
}
