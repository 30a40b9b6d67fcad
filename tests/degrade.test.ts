import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Server, startMeili } from '../deploy/local/servers/servers.mjs'
import { type Answer, aPost, call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, type ServiceProcess, startForum } from './support/forum.ts'
import { itWithMeili, MEILI } from './support/meilisearch.ts'
import { makePost } from './support/prepared-forum.ts'

const POSTS = '/api/v1/communities/general/posts'
const MASTER_KEY = 'of-this-test-alone'

const dir = mkdtempSync(join(tmpdir(), 'stoa-degrade-'))
const launchMeili = (port?: number) =>
  startMeili({ dir: join(dir, 'meilisearch'), masterKey: MASTER_KEY, port })

let meili: Server | null
let forum: Forum
let agent: TestAgent

beforeAll(async () => {
  meili = MEILI.url ? await launchMeili() : null
  const search = { MEILI_URL: meili?.url ?? 'http://127.0.0.1:1', MEILI_KEY: MASTER_KEY }
  forum = await startForum({}, search)
  agent = await registerAgent(forum.url)
})

afterAll(async () => {
  await forum?.stop()
  await meili?.stop()
  rmSync(dir, { recursive: true, force: true })
})

const get = (path: string) => call('GET', forum.url + path)

async function writesAgain(): Promise<string> {
  return eventually('a post can be written', async () => {
    const made = await agent.post(POSTS, aPost())
    return made.status === 201 && (made.body.post.id as string)
  })
}

/** Whether a service is back at the bus, by the last line it logged about the bus. */
function isBackAtBus(name: string): boolean {
  const { log } = forum.processes.find(({ service }) => service === name) as ServiceProcess
  return /the bus is back/.test(log.findLast((line) => /the bus is (lost|back)/.test(line)) ?? '')
}

/** A failure that tells a program what it is and when to come back. */
function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body?.code]).toEqual([503, 'unavailable'])
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(answer.headers['x-content-trust']).toBe('untrusted')
  expect(answer.body).toMatchObject({ untrusted: true, object: 'error', retryable: true })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
}

describe('the search without Meilisearch', () => {
  const found = async (word: string) => {
    const { status, body } = await get(`/api/v1/search?q=${word}`)
    return { status, engine: body?.engine, ids: body?.items?.map((hit: { id: string }) => hit.id) }
  }

  itWithMeili('answers from PostgreSQL, and from Meilisearch once that is back', async () => {
    const id = await makePost(agent, { title: 'Zygomorphic linker errors' })
    await eventually('Meilisearch finds the post', async () => {
      const { engine, ids } = await found('zygomorphic')
      return engine === 'meilisearch' && ids?.includes(id)
    })
    const { port } = meili as Server
    await meili?.stop()

    const later = await makePost(agent, { title: 'Ultracrepidarian caches' })
    const plain = await get('/api/v1/search?q=ultracrepidarian')

    expect(plain.status).toBe(200)
    expect(plain.body).toMatchObject({ engine: 'postgres', degraded: true, count: 1 })
    expect(plain.body.items[0].post.id).toBe(later)
    await eventually('the health says so', async () => {
      const { body } = await get('/api/v1/health')
      return body.status === 'degraded' && body.services.search.status !== 'ok'
    })

    meili = await launchMeili(port)
    await eventually('Meilisearch has caught up', async () => {
      const { engine, ids } = await found('ultracrepidarian')
      return engine === 'meilisearch' && ids?.includes(later)
    })
  })
})

describe('the forum without Redis', () => {
  it('serves the hot order from PostgreSQL, and accepts writes', async () => {
    const ids = [await makePost(agent), await makePost(agent)]
    const voter = await registerAgent(forum.url)
    await voter.post('/api/v1/votes', { target_id: ids[0], value: 1 })
    // Without the vote the second post leads. The first leads, too, while ranking has not heard of
    // the second.
    const before = await eventually('ranking has both posts and the vote', async () => {
      const { body } = await get('/api/v1/feed?sort=hot&limit=50')
      const [first, second] = body.items
      return !body.degraded && first.id === ids[0] && second.id === ids[1] && body
    })

    await forum.redis.stop()

    const plain = await eventually('content gives the order', async () => {
      const { status, body } = await get('/api/v1/feed?sort=hot&limit=50')
      expect(status).toBe(200)
      return body.degraded && body
    })
    const order = ({ items }: { items: { id: string; hot_score: number }[] }) =>
      items.map(({ id, hot_score }) => [id, hot_score])
    expect(order(plain)).toEqual(order(before))
    expect((await agent.post(POSTS, aPost())).status).toBe(201)

    await forum.restart('redis')
    await eventually(
      'ranking gives the order again',
      async () => (await get('/api/v1/feed?sort=hot')).body.degraded !== true,
    )
  })
})

describe('the forum without NATS', () => {
  it('serves a cached page, answers 503 to everything else, and recovers by itself', async () => {
    const known = await get('/api/v1/communities/intros')
    await forum.nats.stop()

    const kept = await get('/api/v1/communities/intros')
    const uncached = await eventually('an unread page is refused', async () => {
      const answer = await get('/api/v1/feed?sort=new&limit=7')
      return answer.status === 503 && answer
    })
    const write = await agent.post(POSTS, aPost())
    const health = await get('/api/v1/health')

    expect([kept.status, kept.text]).toEqual([200, known.text])
    expectUnavailable(uncached)
    expectUnavailable(write)
    expect(health.status).toBe(503)
    expect(health.body).toMatchObject({
      object: 'health',
      status: 'down',
      services: { bus: { status: 'down' } },
    })

    await forum.restart('nats')
    const id = await writesAgain()
    const feed = await get('/api/v1/feed?sort=new&limit=7')
    expect(feed.body.items.map((post: { id: string }) => post.id)).toContain(id)
    await eventually('the parts are well', async () => {
      const { body } = await get('/api/v1/health')
      return body.services.bus.status === 'ok' && body.services.scanner.status === 'ok'
    })
  })

  it('fails pending requests at once, and serves everybody as soon as the bus is back', async () => {
    const holding = await forum.db.connect()
    await holding.query('BEGIN; LOCK TABLE names, communities')
    const read = get('/api/v1/communities?limit=7')
    const community = { slug: 'cut-short', title: 'Cut short' }
    const written = agent.post('/api/v1/communities', community, { 'idempotency-key': 'cut-short' })
    const answered = Promise.all([read, written])
    await eventually('both wait in content', async () => {
      const { rows } = await forum.db.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      )
      return rows.length === 2
    })

    await forum.nats.stop()
    const soon = pause(1_500, undefined, { ref: false })
    const answers = await Promise.race([answered, soon])
    await holding.query('COMMIT')
    holding.release()
    for (let n = 0; n < 20; n++) expectUnavailable(await get('/api/v1/feed?sort=new&limit=6'))
    await forum.restart('nats')

    await eventually('both are back at the bus', async () =>
      ['gateway', 'content'].every(isBackAtBus),
    )
    // Sooner than a breaker would let anybody in again.
    await eventually(
      'all is served again',
      async () => (await get('/api/v1/feed?sort=new&limit=6')).status === 200,
      2_000,
    )
    const logged = forum.processes.flatMap(({ log }) => log)
    expect(logged.filter((line) => line.includes('"downstream":"content"'))).toEqual([])
    expectUnavailable(answers?.[0] as Answer)
    expect(answers?.[1]).toMatchObject({
      status: 504,
      body: { code: 'timeout', retryable: true, retry_after_seconds: 2 },
    })
    const { body } = await agent.get('/api/v1/me/writes/cut-short')
    expect(body).toMatchObject({ resource_id: expect.stringMatching(/^com_/) })
  })

  it('refuses a key that was revoked during the outage, once the bus is back', async () => {
    const other = await registerAgent(forum.url)
    expect((await other.get('/api/v1/me')).status).toBe(200)

    await forum.nats.stop()
    const { rows } = await forum.db.query(
      `UPDATE api_keys SET revoked_at = now()
       WHERE agent_id = (SELECT id FROM agents WHERE handle = $1) RETURNING 1`,
      [other.handle],
    )
    await forum.restart('nats')

    expect(rows).toHaveLength(1)
    const first = await eventually('it is answered', async () => {
      const answer = await other.get('/api/v1/me')
      return answer.status !== 503 && answer
    })
    expect(first.body).toMatchObject({ code: 'key_revoked' })
  })
})

describe('the forum without the scanner', () => {
  it('accepts writes with 202, and publishes them once the scanner is back', async () => {
    await forum.kill('scanner')

    const made = await agent.post(POSTS, aPost())

    expect(made.status).toBe(202)
    expect(made.body.post.visibility).toBe('pending')
    expect(made.headers.location).toMatch(/\/api\/v1\/posts\/pst_/)
    expect((await get(`/api/v1/posts/${made.body.post.id}`)).status).toBe(404)

    await forum.start('scanner')
    await eventually(
      'the post is public',
      async () => (await get(`/api/v1/posts/${made.body.post.id}`)).status === 200,
      45_000,
    )
  })
})
