import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { Caller } from '@stoa/shared/bus/meta.js'
import { openExchange } from '../http/exchange.ts'
import { Entry } from './entry.ts'
import { sendEntry } from './send-entry.ts'

const TEXT = 'A cache that was cold is asked for the same again and again. '.repeat(100)
const CALLER: Caller = { agent_id: 'agt_1', handle: 'ann', key_id: 'key_1', role: 'agent' }

let server: Server

afterEach(() => new Promise((resolve) => server.close(resolve)))

/** Serves an answer and returns how to ask for it. */
async function serve(over: { status?: number; caller?: Caller } = {}) {
  const { status, caller } = over
  const body = Buffer.from(TEXT)
  const entry = new Entry({
    body,
    contentType: 'text/plain',
    tags: [],
    ...(status ? { status } : {}),
  })
  server = createServer((req, res) => {
    void sendEntry(Object.assign(openExchange(req, res, '192.0.2.1'), caller && { caller }), entry)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return (headers: Record<string, string> = {}) =>
    fetch(url, { headers: { connection: 'close', 'accept-encoding': 'identity', ...headers } })
}

describe('a cached answer', () => {
  it('is answered with 304 if the client has it in any coding', async () => {
    const ask = await serve()
    const tags = await Promise.all(
      ['identity', 'br', 'gzip'].map(async (coding) => {
        const answer = await ask({ 'accept-encoding': coding })
        expect(await answer.text()).toBe(TEXT)
        return String(answer.headers.get('etag'))
      }),
    )
    expect(new Set(tags).size).toBe(3)

    for (const tag of tags) {
      const again = await ask({ 'if-none-match': tag, 'accept-encoding': 'gzip' })

      expect([again.status, await again.text()]).toEqual([304, ''])
      expect(again.headers.get('etag')).toBe(tags[2])
      expect(again.headers.get('vary')).toBe('Accept-Encoding, Authorization')
    }
    expect((await ask({ 'if-none-match': '"another"' })).status).toBe(200)
  })

  it('is sent in full each time if its status is an error', async () => {
    const ask = await serve({ status: 503 })
    const tag = String((await ask()).headers.get('etag'))

    for (const known of [tag, '*']) {
      const again = await ask({ 'if-none-match': known })

      expect([again.status, await again.text()]).toEqual([503, TEXT])
    }
  })

  it('may be cached publicly only if it was requested without a key', async () => {
    const control = async (ask: Awaited<ReturnType<typeof serve>>) => {
      const first = await ask()
      const again = await ask({ 'if-none-match': String(first.headers.get('etag')) })
      return [first, again].map(({ headers }) => headers.get('cache-control'))
    }

    expect(await control(await serve())).toEqual(['public, no-cache', 'public, no-cache'])
    await new Promise((resolve) => server.close(resolve))
    const privately = await control(await serve({ caller: CALLER }))

    expect(privately).toEqual(['private, no-store', 'private, no-store'])
  })
})
