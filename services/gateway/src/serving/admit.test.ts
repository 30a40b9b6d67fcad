import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import type { Redis } from 'ioredis'
import { KeyCache } from '../auth/key-cache.ts'
import type { Core } from '../core.ts'
import type { Breakers } from '../downstream/breakers.ts'
import { openExchange } from '../http/exchange.ts'
import { LIMIT_CLASSES } from '../limits/classes.ts'
import { createLimiter, type LimiterSettings } from '../limits/limiter.ts'
import { storedKey } from '../testing/stored-key.ts'
import { admit } from './admit.ts'

const issued = issueKey()
const write = { auth: 'agent', limit: 'post', method: 'POST' } as const
const read = { auth: 'optional', limit: 'read', method: 'GET' } as const

/**
 * Admits one request, whose key is found, unknown or cannot be looked up. Returns what it was
 * counted for, as `class key`.
 */
async function admitted(
  policy: Parameters<typeof admit>[2],
  key: Partial<StoredKey> | AppError | null,
  authorization: string | undefined = key ? `Bearer ${issued.key}` : undefined,
) {
  const counted: string[] = []
  const core = {
    keys: new KeyCache(async () => {
      if (key instanceof AppError) throw key
      return key && storedKey(issued, key)
    }),
    limiter: {
      requireRead: () => {},
      take: async (name: string, by: string) => void counted.push(`${name} ${by}`),
    },
    hashAddress: (address: string) => `hash of ${address}`,
  } as unknown as Core
  const req = { headers: authorization ? { authorization } : {} } as IncomingMessage
  const exchange = openExchange(req, {} as ServerResponse, '203.0.113.7')
  const code = await admit(core, exchange, policy).then(
    () => 'admitted',
    (error) => error.code,
  )
  return { code, counted, caller: exchange.caller }
}

describe('admission', () => {
  it('counts a request with a key for its agent, and a read without a key or a registration for its address', async () => {
    expect(await admitted(write, {})).toMatchObject({ code: 'admitted', counted: ['post agt_1'] })
    expect(await admitted(read, null)).toMatchObject({ counted: ['read 203.0.113.7'] })
    expect(await admitted({ auth: 'none', limit: 'register', method: 'POST' }, {})).toMatchObject({
      counted: ['register hash of 203.0.113.7'],
    })
  })

  it('refuses an invalid key even if the key is optional, and counts the attempt for the address', async () => {
    expect(await admitted(read, null, 'Bearer nonsense')).toMatchObject({
      code: 'invalid_credentials',
      counted: ['read 203.0.113.7'],
    })
  })

  it('counts nothing if the key cannot be looked up', async () => {
    expect(await admitted(read, new AppError('unavailable'))).toMatchObject({
      code: 'unavailable',
      counted: [],
    })
  })

  it('refuses a write without a key', async () => {
    expect(await admitted(write, null)).toMatchObject({ code: 'missing_credentials', counted: [] })
  })

  it('lets a suspended agent read, and write only at endpoints that allow it', async () => {
    const suspended = { suspended: true }

    expect((await admitted(write, suspended)).code).toBe('agent_suspended')
    expect((await admitted({ ...write, suspendedMay: true }, suspended)).code).toBe('admitted')
    expect((await admitted({ ...write, method: 'GET' }, suspended)).code).toBe('admitted')
  })

  it('lets only moderators use moderation endpoints', async () => {
    const moderation = { auth: 'moderator', limit: 'read', method: 'GET' } as const

    expect((await admitted(moderation, {})).code).toBe('moderator_only')
    expect((await admitted(moderation, { role: 'moderator' })).code).toBe('admitted')
  })
})

describe('guessing keys', () => {
  const rate = { points: 3, windowSeconds: 60 }
  const rates = Object.fromEntries(LIMIT_CLASSES.map((name) => [name, rate]))

  /** Admits requests under limits, with one known key, and records which keys are looked up. */
  function limited() {
    const asked: string[] = []
    const keys = new KeyCache(async ({ publicId }) => {
      asked.push(publicId)
      if (publicId !== issued.publicId) return null
      return storedKey(issued)
    })
    const settings = { isOn: true, rates, replicas: 1 } as LimiterSettings
    const limiter = createLimiter(settings, {} as Redis, {} as Breakers)
    const core = { keys, limiter } as unknown as Core
    const codeOf = (authorization: string | undefined, address = '203.0.113.7') => {
      const req = { headers: { authorization } } as IncomingMessage
      const exchange = openExchange(req, {} as ServerResponse, address)
      return admit(core, exchange, read).then(
        () => 'admitted',
        (error) => error.code,
      )
    }
    return { asked, codeOf }
  }

  const guess = () => `Bearer ${issueKey().key}`
  const known = `Bearer ${issued.key}`

  it('causes no more lookups than the address may make reads', async () => {
    const { asked, codeOf } = limited()

    const codes: string[] = []
    for (let n = 0; n < 5; n++) codes.push(await codeOf(guess()))

    expect(codes.slice(0, 3)).toEqual(Array(3).fill('invalid_credentials'))
    expect(codes.slice(3)).toEqual(Array(2).fill('rate_limited'))
    expect(asked).toHaveLength(3)
  })

  it('locks out neither a cached key nor another address', async () => {
    const { codeOf } = limited()
    await codeOf(known)
    for (let n = 0; n < 5; n++) await codeOf(guess())

    expect(await codeOf(known)).toBe('admitted')
    expect(await codeOf(guess(), '198.51.100.2')).toBe('invalid_credentials')
  })

  it('is limited apart from reads without a key, which lock out no key', async () => {
    const { codeOf } = limited()
    const codes: string[] = []
    for (let n = 0; n < 5; n++) codes.push(await codeOf(undefined))
    expect(codes.at(-1)).toBe('rate_limited')

    expect(await codeOf(known)).toBe('admitted')
  })
})
