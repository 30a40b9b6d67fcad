import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { type Answer, aPost, call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

const LIMIT = 3
const POSTS = '/api/v1/communities/general/posts'

let forum: Forum

beforeAll(async () => {
  const rates = { RATE_POST: `${LIMIT}/3600`, RATE_EDIT: '2/3600' }
  forum = await startForum({ gateway: 2 }, { RATE_LIMITS: 'on', ...rates })
})

afterAll(async () => {
  await forum?.stop()
})

/** Posts through the gateways in turn. */
async function postTimes(agent: TestAgent, times: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let n = 0; n < times; n++) {
    const url = (forum.urls[n % forum.urls.length] as string) + POSTS
    answers.push(await call('POST', url, { key: agent.key, body: aPost() }))
  }
  return answers
}

/** Makes every window of posts that Redis keeps end `ms` milliseconds from now. */
async function endLater(ms: number): Promise<void> {
  const redis = new Redis(forum.redis.url)
  for (const name of await redis.keys('*limit:post:*')) await redis.pexpire(name, ms)
  redis.disconnect()
}

function expectLimited(answer: Answer | undefined): void {
  expect([answer?.status, answer?.body.code]).toEqual([429, 'rate_limited'])
  expect(answer?.body).toMatchObject({ untrusted: true, object: 'error', retryable: true })
  expect(answer?.headers['x-content-trust']).toBe('untrusted')
  const seconds = Number(answer?.headers['retry-after'])
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(3600)
  expect(answer?.headers['ratelimit-policy']).toBe(`"post";q=${LIMIT};w=3600`)
  expect(answer?.headers.ratelimit).toBe(`"post";r=0;t=${seconds}`)
}

describe('the limit of edits', () => {
  it('does not keep an agent from revoking a key', async () => {
    const { key } = await registerAgent(forum.url)
    const edit = () => call('PATCH', `${forum.url}/api/v1/me`, { key, body: {} })
    const made = await call('POST', `${forum.url}/api/v1/me/keys`, { key, body: {} })
    expect([made.status, (await edit()).status, (await edit()).status]).toEqual([201, 200, 429])

    const path = `${forum.url}/api/v1/me/keys/${made.body.key.id}`
    const revoked = await call('DELETE', path, { key })

    expect(revoked.status).toBe(200)
  })
})

describe('the limit of posts', () => {
  it('is shared by all gateways', async () => {
    const agent = await registerAgent(forum.url)

    const answers = await postTimes(agent, LIMIT + 1)

    expect(answers.slice(0, LIMIT).map(({ status }) => status)).toEqual([201, 201, 201])
    expect(answers.map(({ headers }) => /r=(\d+)/.exec(String(headers.ratelimit))?.[1])).toEqual([
      '2',
      '1',
      '0',
      '0',
    ])
    expectLimited(answers.at(-1))
  })

  it('applies to one agent and to posts only', async () => {
    const [agent, other] = [await registerAgent(forum.url), await registerAgent(forum.url)]
    const [first] = await postTimes(agent, LIMIT + 1)

    const theirs = await other.post(POSTS, aPost())
    const comment = await agent.post(`/api/v1/posts/${first?.body.post.id}/comments`, {
      body_md: 'This is another budget.',
    })

    expect([theirs.status, comment.status]).toEqual([201, 201])
  })

  it('refuses a repeated post too, and says how to look up the first', async () => {
    const agent = await registerAgent(forum.url)
    await postTimes(agent, LIMIT - 1)
    const key = { 'idempotency-key': 'the-last-one' }
    const body = aPost()
    const first = await agent.post(POSTS, body, key)

    const again = await agent.post(POSTS, body, key)

    expectLimited(again)
    expect(again.body.fix).toContain('GET /api/v1/me/writes/{key} ')
    const write = await agent.get('/api/v1/me/writes/the-last-one')
    expect(write.body).toMatchObject({ resource_id: first.body.post.id, visibility: 'public' })
  })

  it('is shown in advance by GET /me', async () => {
    const agent = await registerAgent(forum.url)
    await postTimes(agent, 2)

    const { body } = await agent.get('/api/v1/me')

    const quota = body.quotas.find((one: { operation: string }) => one.operation === 'post')
    expect(quota).toMatchObject({ limit: LIMIT, remaining: LIMIT - 2, window_seconds: 3600 })
    expect(Date.parse(quota.resets_at)).toBeGreaterThan(Date.now())
  })

  it('lasts one window at most, even if the clock of Redis was set back', async () => {
    const agent = await registerAgent(forum.url)
    await postTimes(agent, LIMIT + 1)
    await endLater(2 * 3_600_000)

    const { body } = await agent.get('/api/v1/me')
    const [first, second] = await postTimes(agent, 2)

    const quota = body.quotas.find((one: { operation: string }) => one.operation === 'post')
    expect(quota).toMatchObject({ remaining: LIMIT })
    expect(Date.parse(quota.resets_at)).toBeLessThanOrEqual(Date.now() + 3_600_000)
    expect([first?.status, second?.status]).toEqual([201, 201])
    expect(second?.headers.ratelimit).toMatch(`r=${LIMIT - 2};`)
  })

  it('is counted by each gateway alone while Redis is away', async () => {
    const agent = await registerAgent(forum.url)
    await forum.redis.stop()

    const answers = await postTimes(agent, 2 * LIMIT + 2)

    const statuses = answers.map(({ status }) => status)
    expect(statuses).toEqual([...new Array(2 * LIMIT).fill(201), 429, 429])
    expectLimited(answers.at(-1))

    await forum.restart('redis')
    await eventually('the gateways count together again', async () => {
      const { body } = await call('GET', `${forum.url}/api/v1/health`)
      return body.services.cache.status === 'ok'
    })
    const [shared] = await postTimes(await registerAgent(forum.url), 1)
    expect(shared?.status).toBe(201)
  })
})

describe('a gateway that has just started', () => {
  it('counts its first write together with all gateways, even if Redis refuses at first', async () => {
    const agent = await registerAgent(forum.url)
    const relay = await slowly(forum.redis.url, 400)
    const rates = { RATE_POST: '1/3600', REDIS_URL: relay.url }
    const urls = [await forum.startGateway(rates), await forum.startGateway(rates)]

    const statuses: number[] = []
    for (const url of urls) {
      statuses.push((await call('POST', url + POSTS, { key: agent.key, body: aPost() })).status)
    }
    relay.close()

    expect(statuses).toEqual([201, 429])
  })
})

/** A proxy to the same Redis that refuses everybody for a while after the first attempt. */
async function slowly(
  redisUrl: string,
  refusingMs: number,
): Promise<{ url: string; close(): void }> {
  const url = new URL(redisUrl)
  const { hostname, port } = url
  let opensAt = Number.POSITIVE_INFINITY
  const server = createServer((socket) => {
    socket.on('error', () => {})
    opensAt = Math.min(opensAt, Date.now() + refusingMs)
    if (Date.now() < opensAt) socket.destroy()
    else socket.pipe(createConnection(Number(port), hostname)).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.href, close: () => server.close() }
}

describe('the limit of reads', () => {
  it('applies to each address, even if the answer is cached', async () => {
    const url = await forum.startGateway({ RATE_READ: '5/60' })
    const answers: Answer[] = []
    for (let n = 0; n < 6; n++) answers.push(await call('GET', `${url}/api/v1/communities`))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers[0]?.headers.ratelimit).toMatch(/^"read";r=4;t=\d+$/)
    expect(answers.at(-1)?.headers['ratelimit-policy']).toBe('"read";q=5;w=60')
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  })

  it('does not apply to the page about an error, even with an unknown key', async () => {
    const url = await forum.startGateway({ RATE_READ: '1/60' })
    await call('GET', `${url}/api/v1/communities`)
    const refusal = await call('GET', `${url}/api/v1/communities`)
    expect(refusal.status).toBe(429)
    const explanation = `${url}${new URL(refusal.body.type).pathname}`

    const read = await call('GET', explanation)
    const readWithKey = await call('GET', explanation, { key: 'none' })

    expect([read.status, readWithKey.status]).toEqual([200, 200])
    expect(read.text).toContain('Too many requests')
  })

  it('tells a reader of pages when to come back, and spares the style, the icon and robots.txt', async () => {
    const url = await forum.startGateway({ RATE_READ: '1/60' })
    const paths = ['/', '/', '/policy', '/style.css', '/favicon.ico', '/robots.txt']
    const answers: Answer[] = []
    for (const path of paths) answers.push(await call('GET', url + path))

    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429, 200, 200, 200])
    for (const { text, headers } of answers.slice(1, 3)) {
      expect(text).toMatch(`Try again in ${headers['retry-after']} second`)
    }
  })

  it('is separate from the limit of searches, which counts pages and cached results too', async () => {
    const url = await forum.startGateway({ RATE_SEARCH: '2/60' })
    const statuses: number[] = []
    for (const path of ['/search?q=a', '/search?q=a', '/search?q=a', '/search?q=b', '/']) {
      statuses.push((await call('GET', url + path)).status)
    }
    const limited = await call('GET', `${url}/search?q=c`)

    expect(statuses).toEqual([200, 200, 429, 429, 200])
    expect(limited.headers['ratelimit-policy']).toBe('"search";q=2;w=60')
    expect(limited.text).toMatch(`Try again in ${limited.headers['retry-after']} second`)
  })

  it('applies to the console if nobody is signed in, even with a made-up session', async () => {
    const url = await forum.startGateway({ RATE_READ: '2/60' })
    const cookie = `__Host-stoa-moderation=${'x'.repeat(43)}`
    const statuses: number[] = []
    for (const path of ['/moderation', '/moderation/audit', '/moderation', '/moderation/audit']) {
      statuses.push((await call('GET', url + path, { headers: { cookie } })).status)
    }

    expect(statuses).toEqual([200, 403, 429, 429])
  })

  it('is divided by REPLICAS at a gateway that cannot reach Redis, here for posts', async () => {
    const agent = await registerAgent(forum.url)
    const url = await forum.startGateway({ REDIS_URL: 'redis://127.0.0.1:1', REPLICAS: '3' })

    const answers = [1, 2].map(() => call('POST', url + POSTS, { key: agent.key, body: aPost() }))

    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 429])
  })
})

describe('the requests of one address', () => {
  const AT_ONCE = 8

  const FORM = 'Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded'

  it.each([
    ['/api/v1/me/inbox/ack', 'Content-Type: application/json'],
    ['/moderation/session', FORM],
    ['/moderation/flag', FORM],
  ])(
    'are limited in number at once at %s, and are served again when earlier ones have ended',
    async (path, headers) => {
      const url = await forum.startGateway({ REQUESTS_PER_ADDRESS_MAX: `${AT_ONCE}` })
      const { hostname, port } = new URL(url)
      const agent = await registerAgent(url)
      const head = `POST ${path} HTTP/1.1\r\nHost: forum.test\r\nAuthorization: Bearer ${agent.key}\r\n${headers}\r\nContent-Length: 2\r\n\r\n`
      const sockets = new Set<Socket>()
      // Never sends the body it announces. A request that is answered, because something else was
      // not at hand at that moment, has left its place, which the next one is to take.
      const takePlace = () => {
        const socket = createConnection(Number(port), hostname)
        const leave = () => {
          sockets.delete(socket)
          socket.destroy()
        }
        sockets.add(socket)
        socket.on('error', leave).on('data', leave).on('close', leave)
        socket.write(head)
      }

      const refused = await eventually('there is no place', async () => {
        while (sockets.size < AT_ONCE) takePlace()
        const answer = await agent.get('/api/v1/me')
        return answer.status === 429 && answer
      })
      expect(refused.body).toMatchObject({ code: 'rate_limited', retry_after_seconds: 1 })
      expect(refused.body.detail).toMatch('at once')

      for (const socket of sockets) socket.destroy()
      await eventually(
        'there are places',
        async () => (await agent.get('/api/v1/me')).status === 200,
      )
    },
  )
})
