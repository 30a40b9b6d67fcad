import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { KeyCache } from '../auth/key-cache.ts'
import { ResponseCache } from '../cache/response-cache.ts'
import { UrlIndex } from '../cache/url-index.ts'
import type { Breakers } from '../downstream/breakers.ts'
import { listen } from '../http/server.ts'
import { LIMIT_CLASSES } from '../limits/classes.ts'
import { createLimiter, type LimiterSettings } from '../limits/limiter.ts'
import { storedKey } from '../testing/stored-key.ts'
import { AnswerCounts } from './answer-counts.ts'
import { createFront } from './front.ts'

const KIB = 1_024
const RATE = { points: 3, windowSeconds: 60 }
const AGENT = 'agt_1'
const issued = issueKey()
const WITH_KEY = `Authorization: Bearer ${issued.key}\r\n`

let server: Server

afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

/** A front whose caches hold an answer of `bytes` bytes and a key. */
async function openFront(bytes: number, isOn = false) {
  const cache = new ResponseCache({
    bytesMax: 1_024 * KIB,
    freshMs: 60_000,
    graceMs: 20,
    staleIfErrorMs: 0,
  })
  const body = Buffer.from('front'.padEnd(bytes))
  await cache.read('kept', async () => ({ body, contentType: 'text/plain', tags: [] }))
  const urls = new UrlIndex()
  urls.remember('/kept', { key: 'kept', limit: 'read' })
  const rates = Object.fromEntries(LIMIT_CLASSES.map((name) => [name, RATE]))
  const settings = { isOn, rates, replicas: 1 } as LimiterSettings
  const limiter = createLimiter(settings, {} as Redis, {} as Breakers)
  const keys = new KeyCache(async () => storedKey(issued, { agent_id: AGENT }))
  await keys.find(issued)
  const recentWriters = new LRUCache<string, true>({ max: 1 })
  const core = { answers: new AnswerCounts(), cache, urls, limiter, keys, recentWriters }
  server = createServer(
    createFront(
      core,
      () => '192.0.2.1',
      (_, res) => {
        res.end('behind')
        return true
      },
      () => {},
    ),
  )
  await listen(server, { HOST: '127.0.0.1', PORT: 0 })
  return core
}

/** All answers to requests for the cached answer that are sent at once on one connection. */
async function answersTo(requests: number, headers = '', method = 'GET'): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const ask = `${method} /kept HTTP/1.1\r\nHost: forum.test\r\n${headers}`
  const more = `${ask}\r\n`.repeat(requests - 1)
  socket.write(`${more}${ask}Connection: close\r\n\r\n`)
  await closed
  return text
}

/** Whether the front or the handler behind it answered each request. */
async function answeredBy(requests: number, headers = '', method = 'GET'): Promise<string[]> {
  return (await answersTo(requests, headers, method)).match(/front|behind/g) ?? []
}

describe('the front of the gateway', () => {
  it('answers a read itself if the cached answer has at most 96 KiB', async () => {
    await openFront(96 * KIB)

    expect(await answeredBy(1)).toEqual(['front'])
  })

  it('passes a read on while the bus is away, since the cached answer may be outdated', async () => {
    const { cache } = await openFront(KIB)

    cache.disconnected()

    expect(await answeredBy(1)).toEqual(['behind'])
  })

  it('passes a read on if the cached answer is larger than 96 KiB', async () => {
    await openFront(96 * KIB + 1)

    expect(await answeredBy(1)).toEqual(['behind'])
  })

  it('passes a pipelined read on if an earlier request of its connection is being answered', async () => {
    await openFront(KIB)

    expect(await answeredBy(3)).toEqual(['front', 'behind', 'behind'])
  })

  it('passes a request on if its method is not GET', async () => {
    await openFront(KIB)

    expect(await answeredBy(1, '', 'POST')).toEqual(['behind'])
    expect(await answeredBy(1, WITH_KEY, 'DELETE')).toEqual(['behind'])
  })

  it.each(['Content-Length: 2', 'Transfer-Encoding: chunked'])(
    'passes a read with a body on: %s',
    async (header) => {
      await openFront(KIB)

      expect(await answeredBy(1, `${header}\r\n`)).toEqual(['behind'])
    },
  )

  it('answers a read with a cached key privately, and passes a read with another key on', async () => {
    await openFront(KIB)

    const answer = await answersTo(1, WITH_KEY)

    expect(answer).toContain('front')
    expect(answer).toContain('Cache-Control: private, no-store')
    expect(await answersTo(1)).toContain('Cache-Control: public, no-cache')
    const unknown = `Authorization: Bearer ${issueKey().key}\r\n`
    expect(await answeredBy(1, unknown)).toEqual(['behind'])
    expect(await answeredBy(1, 'Authorization: none\r\n')).toEqual(['behind'])
  })

  it('passes a read on if its agent has just written or sends no-cache', async () => {
    const { recentWriters } = await openFront(KIB)

    expect(await answeredBy(1, `${WITH_KEY}Cache-Control: no-cache\r\n`)).toEqual(['behind'])
    recentWriters.set(AGENT, true)
    expect(await answeredBy(1, WITH_KEY)).toEqual(['behind'])
    // A client without a key must not be able to bypass the cache.
    expect(await answeredBy(1, 'Cache-Control: no-cache\r\n')).toEqual(['front'])
  })

  it('answers as many reads as each agent and each address may make', async () => {
    await openFront(KIB, true)
    const left = async (headers: string) => {
      const answer = await answersTo(1, headers)
      return answer.includes('behind') ? 'behind' : /^RateLimit: (.*);t=/m.exec(answer)?.[1]
    }
    const counts = ['"read";r=2', '"read";r=1', '"read";r=0', 'behind']

    for (const headers of [WITH_KEY, '']) {
      for (const count of counts) expect([headers, await left(headers)]).toEqual([headers, count])
    }
  })
})
