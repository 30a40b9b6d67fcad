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
const PART = { items: [], next_before: 'more' }

let streams: Streams
let server: Server
/** What a lookup of the reader's key finds. */
let findKey: () => Promise<StoredKey>
/** What content answers when it is asked for alerts. */
let listAlerts: () => Promise<object>
let response: IncomingMessage

beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] })
  findKey = async () => storedKey(issued, { role: 'moderator' })
  listAlerts = async () => NONE
  streams = createStreams({ max: 2, perAddressMax: 2 })
  const core = {
    streams,
    bus: { hear: () => () => {} },
    keys: { find: () => findKey(), used: () => {} },
    ask: async () => ({ json: Buffer.from(JSON.stringify(await listAlerts())), meta: {} }),
  } as unknown as Core
  server = createServer((req, res) => {
    void streamAlerts(core, openExchange(req, res, '192.0.2.1'), {}, [])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  response = await open()
})

afterEach(async () => {
  jest.useRealTimers()
  streams.close()
  await new Promise((resolve) => server.close(resolve))
})

function open(more: Record<string, string> = {}): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo
  const headers = { authorization: `Bearer ${issued.key}`, ...more }
  return new Promise((resolve) => {
    request({ port, headers, agent: false }, resolve).end()
  })
}

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

  it('ends if content goes away before all missed alerts are read, so that its reader resumes', async () => {
    let asked = 0
    listAlerts = async () => {
      if (asked++ > 0) throw new AppError('unavailable')
      return PART
    }

    const resumed = await open({ 'last-event-id': '2026-01-01T00:00:00.000Z' })

    await new Promise((resolve) => resumed.once('end', resolve).resume())
  })
})
