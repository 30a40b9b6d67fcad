import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { AppError } from '@stoa/shared/errors/errors.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { KeyCache } from '../auth/key-cache.ts'
import type { Core } from '../core.ts'
import { openExchange } from '../http/exchange.ts'
import { voteRoutes } from '../routes/votes.ts'
import { storedKey } from '../testing/stored-key.ts'
import { serveRow } from './serve-row.ts'

const issued = issueKey()
const vote = voteRoutes[0] as (typeof voteRoutes)[number]
const known = storedKey(issued)
const late = async () => {
  throw new AppError('timeout')
}

/**
 * Sends a vote that is not answered in time, and returns whether the error says it may be repeated.
 */
async function mayRepeat(over: object, headers: Record<string, string> = {}): Promise<boolean> {
  const core = {
    atOnce: { during: (_: unknown, run: (leave: () => void) => Promise<void>) => run(() => {}) },
    keys: new KeyCache(async () => known),
    limiter: { take: async () => undefined, requireRead: () => {} },
    recentWriters: new Map(),
    ask: late,
    ...over,
  } as unknown as Core
  const input = { target_id: `pst_${'0'.repeat(32)}`, value: 1 }
  const body = Readable.from([Buffer.from(JSON.stringify(input))])
  const req = Object.assign(body, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${issued.key}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
      ...headers,
    },
  }) as unknown as IncomingMessage
  const exchange = openExchange(req, {} as ServerResponse, '203.0.113.7')
  await expect(serveRow(core, vote, exchange)).rejects.toMatchObject({ code: 'timeout' })
  return exchange.isRepeatable
}

describe('a write that times out', () => {
  it('may be repeated if it was not sent to a service yet', async () => {
    expect(await mayRepeat({ keys: { find: late } })).toBe(true)
  })

  it('may be repeated after it was sent to a service only if it has an Idempotency-Key', async () => {
    expect(await mayRepeat({})).toBe(false)
    expect(await mayRepeat({}, { 'idempotency-key': 'once' })).toBe(true)
  })
})
