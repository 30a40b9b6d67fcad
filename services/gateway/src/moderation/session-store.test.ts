import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import type { Redis } from 'ioredis'
import { type Breakers, createBreakers } from '../downstream/breakers.ts'
import { connectRedis } from '../downstream/redis.ts'
import { createSessionStore, SESSION_SECONDS, type SessionStore } from './session-store.ts'

const who = { public_id: 'public', key_id: 'key_1', agent_id: 'agt_1', handle: 'ann' }
const log = createLogger('gateway', 'silent')

/** Two gateways, and the connection of the first. */
let here: SessionStore
let elsewhere: SessionStore
let redis: Redis
let stops: (() => void)[]

beforeEach(async () => {
  const prefix = `${randomUUID()}:`
  stops = []
  ;[{ store: here, redis }, { store: elsewhere }] = [await gateway(prefix), await gateway(prefix)]
})

afterEach(() => {
  jest.restoreAllMocks()
  for (const stop of stops) stop()
})

async function gateway(prefix: string) {
  const connection = await connectRedis(process.env.TEST_REDIS_URL as string, prefix, log)
  const breakers: Breakers = createBreakers(log)
  stops.push(() => connection.disconnect(), breakers.close)
  return { store: createSessionStore(connection, breakers), redis: connection }
}

it('goes by a session that it opened itself while Redis is away', async () => {
  const token = await here.open(who)

  redis.disconnect()

  expect(await here.find(token)).toMatchObject(who)
})

it('goes by none while Redis is away that it has found to be ended elsewhere', async () => {
  const token = await here.open(who)
  await elsewhere.end(token)
  expect(await here.find(token)).toBeNull()

  redis.disconnect()

  await expect(here.find(token)).rejects.toMatchObject({ code: 'unavailable' })
})

it('goes by none while Redis is away that was ended here', async () => {
  const token = await here.open(who)
  await here.end(token)

  redis.disconnect()

  await expect(here.find(token)).rejects.toMatchObject({ code: 'unavailable' })
})

it('goes by none that is over, however long a gateway remembers it', async () => {
  const token = await here.open(who)
  const over = Date.now() + SESSION_SECONDS * 1_000
  redis.disconnect()

  const now = jest.spyOn(Date, 'now').mockReturnValue(over - 60_000)
  expect(await here.find(token)).toMatchObject(who)
  now.mockReturnValue(over + 60_000)

  expect(await here.find(token)).toBeNull()
})

it('goes on with one that could not be ended while Redis was away', async () => {
  const token = await here.open(who)
  redis.disconnect()

  await expect(here.end(token)).rejects.toMatchObject({ code: 'unavailable' })

  expect(await here.find(token)).toMatchObject(who)
})
