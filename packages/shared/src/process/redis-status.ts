import type { PartStatus } from '../contracts/health.ts'

/** As far as it is asked here; ioredis's is one. */
interface RedisClient {
  set(key: string, value: string, unit: 'PX', milliseconds: number): Promise<unknown>
}

const KEPT_MS = 10_000

/**
 * Whether Redis takes what is written. One that is full, follows another, or cannot write its own file
 * goes on answering reads, and refuses every write: that is `degraded`.
 */
export async function redisStatus(redis: RedisClient, key: string): Promise<PartStatus> {
  try {
    await redis.set(key, '', 'PX', KEPT_MS)
    return 'ok'
  } catch (error) {
    return isRefusal(error) ? 'degraded' : 'down'
  }
}

/** Whether Redis itself said no, rather than nothing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError'
}
