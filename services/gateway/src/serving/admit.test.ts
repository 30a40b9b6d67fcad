import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { KeyCache } from '../auth/key-cache.ts'
import type { Core } from '../core.ts'
import { openExchange } from '../http/exchange.ts'
import { admit } from './admit.ts'

const issued = issueKey()
const write = { auth: 'agent', limit: 'post', method: 'POST' } as const
const read = { auth: 'optional', limit: 'read', method: 'GET' } as const

/** Lets one request in and says whom it was counted for, as `class key`. */
async function admitted(
  policy: Parameters<typeof admit>[2],
  key: Partial<StoredKey> | null,
  authorization: string | undefined = key ? `Bearer ${issued.key}` : undefined,
) {
  const stored = { hash_hex: issued.hash.toString('hex'), agent_id: 'agt_1', key_id: 'key_1' }
  const counted: string[] = []
  const core = {
    keys: new KeyCache(async () =>
      key
        ? ({ ...stored, handle: 'ann', role: 'agent', expires_at: null, ...key } as StoredKey)
        : null,
    ),
    limiter: { take: async (name: string, by: string) => void counted.push(`${name} ${by}`) },
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
  it('counts an agent for itself and strangers for their address', async () => {
    expect(await admitted(write, {})).toMatchObject({ code: 'admitted', counted: ['post agt_1'] })
    expect(await admitted(read, null)).toMatchObject({ counted: ['read 203.0.113.7'] })
    expect(await admitted({ auth: 'none', limit: 'register', method: 'POST' }, {})).toMatchObject({
      counted: ['register hash of 203.0.113.7'],
    })
  })

  it('refuses a bad key even where none is needed, and counts the attempt', async () => {
    expect(await admitted(read, null, 'Bearer nonsense')).toMatchObject({
      code: 'invalid_credentials',
      counted: ['read 203.0.113.7'],
    })
  })

  it('refuses a write without a key', async () => {
    expect(await admitted(write, null)).toMatchObject({ code: 'missing_credentials', counted: [] })
  })

  it('lets a suspended agent read, and write only where that is said', async () => {
    const suspended = { suspended: true }

    expect((await admitted(write, suspended)).code).toBe('agent_suspended')
    expect((await admitted({ ...write, suspendedMay: true }, suspended)).code).toBe('admitted')
    expect((await admitted({ ...write, method: 'GET' }, suspended)).code).toBe('admitted')
  })

  it('lets only moderators moderate', async () => {
    const moderation = { auth: 'moderator', limit: 'read', method: 'GET' } as const

    expect((await admitted(moderation, {})).code).toBe('moderator_only')
    expect((await admitted(moderation, { role: 'moderator' })).code).toBe('admitted')
  })
})
