import { expect, it } from '@jest/globals'
import type { Redis } from 'ioredis'
import type { Breakers } from '../downstream/breakers.ts'
import { createSessionStore } from './session-store.ts'

const who = { public_id: 'public', key_id: 'key_1', agent_id: 'agt_1', handle: 'ann' }
const breakers = { run: (_name, work) => work() } as Breakers

/** What both gateways keep their sessions in, and how to take it away. */
function sharedRedis() {
  const values = new Map<string, string>()
  const state = { isAway: false }
  const answer = async <T>(value: () => T): Promise<T> => {
    if (state.isAway) throw new Error('Connection is closed.')
    return value()
  }
  const redis = {
    set: (name: string, value: string) => answer(() => values.set(name, value)),
    get: (name: string) => answer(() => values.get(name) ?? null),
    del: (name: string) => answer(() => values.delete(name)),
  } as unknown as Redis
  return { redis, state }
}

it('remembers a session while Redis is away', async () => {
  const { redis, state } = sharedRedis()
  const sessions = createSessionStore(redis, breakers)
  const token = await sessions.open(who)

  state.isAway = true

  expect(await sessions.find(token)).toMatchObject(who)
})

it('opens none again while Redis is away that it has found to be ended elsewhere', async () => {
  const { redis, state } = sharedRedis()
  const [here, elsewhere] = [
    createSessionStore(redis, breakers),
    createSessionStore(redis, breakers),
  ]
  const token = await here.open(who)
  await elsewhere.end(token)
  expect(await here.find(token)).toBeNull()

  state.isAway = true

  await expect(here.find(token)).rejects.toMatchObject({ code: 'unavailable' })
})
