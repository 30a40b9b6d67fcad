import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import type { Redis } from 'ioredis'
import { startRedis } from '../../../../deploy/local/servers/servers.mjs'
import { type Breakers, createBreakers } from '../downstream/breakers.ts'
import { connectRedis } from '../downstream/redis.ts'
import { createSessionStore, SESSION_SECONDS, type SessionStore } from './session-store.ts'

const who = { public_id: 'public', key_id: 'key_1', agent_id: 'agt_1', handle: 'ann' }
const log = createLogger('gateway', 'silent')

/** The stores of two gateways, and the Redis connection of the first. */
let here: SessionStore
let elsewhere: SessionStore
let redis: Redis
let stops: (() => unknown)[]

beforeEach(async () => {
  const prefix = `${randomUUID()}:`
  stops = []
  ;[{ store: here, redis }, { store: elsewhere }] = [await gateway(prefix), await gateway(prefix)]
})

afterEach(async () => {
  jest.restoreAllMocks()
  for (const stop of stops) await stop()
})

async function gateway(prefix: string, url = process.env.TEST_REDIS_URL as string) {
  const connection = await connectRedis(url, prefix, log)
  const breakers: Breakers = createBreakers(log)
  stops.push(() => connection.disconnect(), breakers.close)
  return { store: createSessionStore(connection, breakers), redis: connection }
}

async function ownRedis(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'stoa-sessions-'))
  const server = await startRedis({ dir })
  stops.push(async () => {
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  return server.url
}

it('a gateway accepts a session that it opened itself while Redis is away', async () => {
  const token = await here.open(who)

  redis.disconnect()

  expect(await here.find(token)).toMatchObject(who)
})

it('a gateway refuses a session while Redis is away if it has seen that another gateway ended the session', async () => {
  const token = await here.open(who)
  await elsewhere.end(token)
  expect(await here.find(token)).toBeNull()

  redis.disconnect()

  await expect(here.find(token)).rejects.toMatchObject({ code: 'unavailable' })
})

it('a gateway that has ended a session refuses the session while Redis is away', async () => {
  const token = await here.open(who)
  await here.end(token)

  redis.disconnect()

  await expect(here.find(token)).rejects.toMatchObject({ code: 'unavailable' })
})

it('a gateway refuses a session that was ended while Redis was full', async () => {
  const { store, redis } = await gateway('', await ownRedis())
  await redis.config('SET', 'maxmemory', '1')
  const token = await store.open(who)
  expect(await store.find(token)).toMatchObject(who)

  await Promise.all([store.find(token), store.end(token)])

  expect(await store.find(token)).toBeNull()
})

it('a gateway refuses an expired session that it still remembers while Redis is away', async () => {
  const token = await here.open(who)
  const over = Date.now() + SESSION_SECONDS * 1_000
  redis.disconnect()

  const now = jest.spyOn(Date, 'now').mockReturnValue(over - 60_000)
  expect(await here.find(token)).toMatchObject(who)
  now.mockReturnValue(over + 60_000)

  expect(await here.find(token)).toBeNull()
})

it('a gateway still accepts a session that could not be ended because Redis was away', async () => {
  const token = await here.open(who)
  redis.disconnect()

  await expect(here.end(token)).rejects.toMatchObject({ code: 'unavailable' })

  expect(await here.find(token)).toMatchObject(who)
})
