import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { KeyCache } from '../auth/key-cache.ts'
import { ResponseCache } from '../cache/response-cache.ts'
import { UrlIndex } from '../cache/url-index.ts'
import type { Breakers } from '../downstream/breakers.ts'
import { listen } from '../http/server.ts'
import { LIMIT_CLASSES } from '../limits/classes.ts'
import { createLimiter, type LimiterSettings } from '../limits/limiter.ts'
import { AnswerCounts } from './answer-counts.ts'
import { createFront } from './front.ts'

const KIB = 1_024
const RATE = { points: 3, windowSeconds: 60 }

let server: Server

afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

/** What answers each of some requests for a kept answer, sent at once: the front, or what is behind it. */
async function answeredBy(bytes: number, requests: number): Promise<string[]> {
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
  const settings = { isOn: false, rates, replicas: 1 } as LimiterSettings
  const limiter = createLimiter(settings, {} as Redis, {} as Breakers)
  const keys = new KeyCache(async () => null)
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
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const get = 'GET /kept HTTP/1.1\r\nHost: forum.test\r\n'
  const more = `${get}\r\n`.repeat(requests - 1)
  socket.write(`${more}${get}Connection: close\r\n\r\n`)
  await closed
  return text.match(/front|behind/g) ?? []
}

describe('the front', () => {
  it('answers with what is kept, if it is small', async () => {
    expect(await answeredBy(96 * KIB, 1)).toEqual(['front'])
  })

  it('leaves a large answer to what counts who reads', async () => {
    expect(await answeredBy(96 * KIB + 1, 1)).toEqual(['behind'])
  })

  it('leaves what waits on a connection to what counts who reads', async () => {
    expect(await answeredBy(KIB, 3)).toEqual(['front', 'behind', 'behind'])
  })
})
