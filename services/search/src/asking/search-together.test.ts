import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals'
import { randomToken } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { describeWithMeili, MEILI } from '../../../../tests/support/meilisearch.ts'
import {
  connectMeili,
  LATER_MS,
  type MeiliServer,
  refusalOf,
  settle,
} from '../meilisearch/meili.ts'
import { searchTogether } from './search-together.ts'

const uid = `together_${randomToken(8)}`
const WORDS = ['amber', 'basalt', 'cobalt', 'dolomite', 'emerald']

const opened: { close(): unknown }[] = []

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const patient = () => new AbortController().signal
const queryFor = (q: string) => ({ indexUid: uid, q })

describeWithMeili('searches in one request to Meilisearch', () => {
  let meili: MeiliServer

  beforeAll(async () => {
    meili = connectMeili(MEILI.url, MEILI.key)
    const documents = WORDS.map((title, id) => ({ id, title }))
    await settle(meili.client, meili.client.createIndex(uid, { primaryKey: 'id' }), LATER_MS)
    await settle(meili.client, meili.client.index(uid).addDocuments(documents), LATER_MS)
  })

  afterAll(async () => {
    if (meili) await settle(meili.client, meili.client.deleteIndex(uid), LATER_MS)
    meili?.close()
  })

  it('get their own answers in the order of their queries', async () => {
    const searchAll = searchTogether(meili.client, 1)

    const answers = await Promise.all(
      WORDS.map((word, i) =>
        searchAll([queryFor(word), queryFor(WORDS.at(-i) as string)], patient()),
      ),
    )

    expect(answers.map((both) => both.map(({ hits }) => hits.map(({ title }) => title)))).toEqual(
      WORDS.map((word, i) => [[word], [WORDS.at(-i)]]),
    )
  })

  it('succeed even if Meilisearch refuses another search in the same request', async () => {
    const searchAll = searchTogether(meili.client, 1)
    const refused = searchAll([{ ...queryFor(''), filter: 'no such thing' }], patient())

    const [failed, found] = await Promise.allSettled([
      refused,
      searchAll([queryFor('amber')], patient()),
    ])

    expect(refusalOf((failed as PromiseRejectedResult).reason)?.code).toBe('invalid_search_filter')
    expect(found).toMatchObject({ value: [{ hits: [{ title: 'amber' }] }] })
  })
})

it('searches beyond the allowed number of requests wait and are sent together in one request', async () => {
  const { asked, client } = await slowMeili()
  const searchAll = searchTogether(client, 2)
  const first = [searchAll([queryFor('a')], patient()), searchAll([queryFor('b')], patient())]
  await eventually('two requests are under way', async () => asked.length === 2)

  const later = ['c', 'd', 'e'].map((q) => searchAll([queryFor(q)], patient()))
  asked[0]?.answer()
  await eventually('a third follows', async () => asked.length === 3)
  for (const { answer } of asked) answer()

  await Promise.all([...first, ...later])
  expect(asked.map(({ queries }) => queries)).toEqual([['a'], ['b'], ['c', 'd', 'e']])
})

it('at most sixteen searches are sent together in one request', async () => {
  const { asked, client } = await slowMeili()
  const searchAll = searchTogether(client, 1)
  const first = searchAll([queryFor('a')], patient())
  await eventually('a request is under way', async () => asked.length === 1)

  const later = Array.from({ length: 17 }, (_, i) => searchAll([queryFor(`${i}`)], patient()))
  for (const count of [2, 3]) {
    asked.at(-1)?.answer()
    await eventually('the next is asked for', async () => asked.length === count)
  }
  asked.at(-1)?.answer()

  await Promise.all([first, ...later])
  expect(asked.map(({ queries }) => queries.length)).toEqual([1, 16, 1])
})

it('searches in one request are not sent again one by one if Meilisearch cannot answer', async () => {
  const { asked, client } = await slowMeili()
  const searchAll = searchTogether(client, 1)
  const first = searchAll([queryFor('a')], patient())
  await eventually('a request is under way', async () => asked.length === 1)

  const later = ['b', 'c'].map((q) => searchAll([queryFor(q)], patient()))
  asked[0]?.answer()
  await eventually('the others are asked for', async () => asked.length === 2)
  asked[1]?.fail()

  const outcomes = await Promise.allSettled([first, ...later])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(asked.map(({ queries }) => queries)).toEqual([['a'], ['b', 'c']])
})

it('a search without an answer fails after a second, and the waiting searches are sent', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] })
  const { asked, client } = await slowMeili()
  const searchAll = searchTogether(client, 1)
  const first = expect(searchAll([queryFor('a')], patient())).rejects.toBeDefined()
  while (asked.length < 1) await new Promise(setImmediate)

  const later = searchAll([queryFor('b')], patient())
  jest.advanceTimersByTime(1_000)
  jest.useRealTimers()
  await first
  await eventually('the next is asked for', async () => asked.length === 2)
  asked[1]?.answer()

  expect(await later).toEqual([{ hits: [] }])
})

it('a waiting search fails at once when its caller gives up, and is not sent', async () => {
  const { asked, client } = await slowMeili()
  const searchAll = searchTogether(client, 1)
  const first = searchAll([queryFor('a')], patient())
  await eventually('a request is under way', async () => asked.length === 1)
  const impatient = new AbortController()
  const given = searchAll([queryFor('b')], impatient.signal)

  impatient.abort()
  await expect(given).rejects.toMatchObject({ code: 'unavailable' })
  const last = searchAll([queryFor('c')], patient())
  asked[0]?.answer()
  await eventually('the next is asked for', async () => asked.length === 2)
  asked[1]?.answer()

  await Promise.all([first, last])
  expect(asked.map(({ queries }) => queries)).toEqual([['a'], ['c']])
})

it('a search whose caller gave up before fails and is not sent', async () => {
  const { asked, client } = await slowMeili()

  const searching = searchTogether(client)([queryFor('a')], AbortSignal.abort())

  await expect(searching).rejects.toMatchObject({ code: 'unavailable' })
  expect(asked).toEqual([])
})

interface AskedFor {
  queries: string[]
  answer(): void
  fail(): void
}

/** Answers each request on demand, with nothing found or with an error. */
async function slowMeili() {
  const asked: AskedFor[] = []
  const server: Server = createServer((request, response: ServerResponse) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { queries } = JSON.parse(body) as { queries: { q: string }[] }
      asked.push({
        queries: queries.map(({ q }) => q),
        answer: () => response.end(JSON.stringify({ results: queries.map(() => ({ hits: [] })) })),
        fail: () => response.writeHead(503).end(),
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const slow = connectMeili(`http://127.0.0.1:${port}`, 'key')
  opened.push(slow, {
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
  return { asked, client: slow.client }
}
