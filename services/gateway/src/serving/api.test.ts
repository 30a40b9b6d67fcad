import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { AppError } from '@stoa/shared/errors/errors.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { KeyCache } from '../auth/key-cache.ts'
import type { Core } from '../core.ts'
import { openExchange } from '../http/exchange.ts'
import { listen } from '../http/server.ts'
import { suggestionRoutes } from '../routes/suggestions.ts'
import { voteRoutes } from '../routes/votes.ts'
import { storedKey } from '../testing/stored-key.ts'
import { AnswerCounts } from './answer-counts.ts'
import { createApi } from './api.ts'

const issued = issueKey()
const known = storedKey(issued)
const late = async () => {
  throw new AppError('timeout')
}

const VOTE = {
  method: 'POST',
  path: '/api/v1/votes',
  body: JSON.stringify({ target_id: `pst_${'0'.repeat(32)}`, value: 1 }),
}
const READ = { method: 'GET', path: '/api/v1/suggestions' }
const DELETION = { method: 'DELETE', path: `/api/v1/suggestions/sug_${'0'.repeat(32)}`, body: '{}' }

interface Problem {
  code: string
  retryable: boolean
  detail: string
  fix: string
}

let server: Server

afterEach(() => new Promise((resolve) => server.close(resolve)))

/** Sends a request that is not answered in time, and returns the error. */
async function timedOut(
  { path, ...request }: { method: string; path: string; body?: string },
  headers: Record<string, string> = {},
  over: object = {},
): Promise<Problem> {
  const core = {
    atOnce: { during: (_: unknown, run: (leave: () => void) => Promise<void>) => run(() => {}) },
    keys: new KeyCache(async () => known),
    limiter: { take: async () => undefined, requireRead: () => {} },
    recentWriters: new Map(),
    ask: late,
    answers: new AnswerCounts(),
    config: { baseUrl: 'https://stoa.example' },
    log: createLogger('gateway', 'silent'),
    ...over,
  } as unknown as Core
  const rows = [...voteRoutes, ...suggestionRoutes]
  const api = createApi(core, rows, (req, res) => openExchange(req, res, '203.0.113.7'))
  server = createServer(api)
  await listen(server, { HOST: '127.0.0.1', PORT: 0 })
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...request,
    headers: {
      authorization: `Bearer ${issued.key}`,
      'content-type': 'application/json',
      connection: 'close',
      ...headers,
    },
  })
  const body = (await answer.json()) as Problem
  expect(body.code).toBe('timeout')
  return body
}

const mayRepeat = async (...write: Parameters<typeof timedOut>) =>
  (await timedOut(...write)).retryable

describe('a read that times out', () => {
  it('may be repeated, and says nothing of writes', async () => {
    const { retryable, detail, fix } = await timedOut(READ, {}, { keys: { find: late } })

    expect(retryable).toBe(true)
    expect(detail + fix).not.toMatch(/write|landed|Idempotency/)
  })
})

describe('a write that times out', () => {
  it('may be repeated if it was not sent to a service yet', async () => {
    expect(await mayRepeat(VOTE, {}, { keys: { find: late } })).toBe(true)
  })

  it('may not be repeated after it was sent to a service without an Idempotency-Key', async () => {
    expect(await mayRepeat(VOTE)).toBe(false)
  })

  it('may be repeated after it was sent to a service with an Idempotency-Key', async () => {
    expect(await mayRepeat(VOTE, { 'idempotency-key': 'once' })).toBe(true)
  })

  it('may be repeated if it is a deletion', async () => {
    expect(await mayRepeat(DELETION)).toBe(true)
  })
})
