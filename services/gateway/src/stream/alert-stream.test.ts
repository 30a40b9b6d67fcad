import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import type { Core } from '../core.ts'
import { openExchange } from '../http/exchange.ts'
import { storedKey } from '../testing/stored-key.ts'
import { streamAlerts } from './alert-stream.ts'
import { createStreams, type Streams } from './streams.ts'

const issued = issueKey()
const NONE = { items: [], next_before: null }

let streams: Streams
let server: Server
/** What a lookup of the reader's key finds. */
let findKey: () => Promise<StoredKey>
let response: IncomingMessage

beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] })
  findKey = async () => storedKey(issued, { role: 'moderator' })
  streams = createStreams({ max: 1, perAddressMax: 1 })
  const core = {
    streams,
    bus: { hear: () => () => {} },
    keys: { find: () => findKey(), used: () => {} },
    ask: async () => ({ json: Buffer.from(JSON.stringify(NONE)), meta: {} }),
  } as unknown as Core
  server = createServer((req, res) => {
    void streamAlerts(core, openExchange(req, res, '192.0.2.1'), {}, [])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const headers = { authorization: `Bearer ${issued.key}` }
  response = await new Promise((resolve) => {
    request({ port, headers, agent: false }, resolve).end()
  })
})

afterEach(async () => {
  jest.useRealTimers()
  streams.close()
  await new Promise((resolve) => server.close(resolve))
})

describe('the stream of alerts', () => {
  it.each<[string, Partial<StoredKey>]>([
    ['revoked', { revoked: true }],
    ['of a suspended account', { suspended: true }],
    ['of no moderator any more', { role: 'agent' }],
  ])('ends within five seconds if its key is %s', async (_, change) => {
    const ended = new Promise((resolve) => response.once('end', resolve).resume())
    findKey = async () => storedKey(issued, { role: 'moderator', ...change })

    jest.advanceTimersByTime(5_000)

    await ended
  })

  it('stays open while its key cannot be looked up', async () => {
    findKey = () => Promise.reject(new AppError('unavailable'))

    await jest.advanceTimersByTimeAsync(30_000)

    let text = ''
    for await (const chunk of response) {
      text += chunk
      if (text.split(': still here').length > 2) break
    }
    expect(text).toMatch(/(: still here\s+){2}$/)
  })
})
