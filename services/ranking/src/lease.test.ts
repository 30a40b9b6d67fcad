import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { randomToken } from '@stoa/shared/identifiers/ids.js'
import { Redis } from 'ioredis'
import { Lease } from './lease.ts'

const { TEST_REDIS_URL: url } = process.env
const withRedis = url ? describe : describe.skip
const KEY = `test-${randomToken(4)}:lease`
const TTL_MS = 60_000

let redis: Redis

beforeAll(() => {
  if (url) redis = new Redis(url)
})

afterEach(() => redis?.del(KEY))

afterAll(() => redis?.disconnect())

withRedis('the lease', () => {
  it('has an expiry from the first moment, in case its holder dies', async () => {
    await new Lease(redis, KEY, TTL_MS).acquire()

    expect(await redis.pttl(KEY)).toBeGreaterThan(0)
  })

  it('is extended by its holder', async () => {
    const lease = new Lease(redis, KEY, TTL_MS)
    await lease.acquire()
    await redis.pexpire(KEY, TTL_MS / 2)

    expect(await lease.acquire()).toBe(true)

    expect(await redis.pttl(KEY)).toBeGreaterThan(TTL_MS / 2)
  })

  it('can be neither extended nor released by another worker', async () => {
    const [holder, other] = [new Lease(redis, KEY, TTL_MS), new Lease(redis, KEY, TTL_MS)]
    expect(await holder.acquire()).toBe(true)

    expect(await other.acquire()).toBe(false)
    await other.release()

    expect(await redis.get(KEY)).toBe(holder.token)
  })
})
