import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makePost } from './support/prepared-forum.ts'

let forum: Forum
let agent: TestAgent
/** A session that holds a lock, as a stuck migration or a forgotten psql does. */
let session: pg.Client

beforeAll(async () => {
  forum = await startForum()
  agent = await registerAgent(forum.url)
  session = new pg.Client({ connectionString: forum.databaseUrl })
  await session.connect()
})

afterAll(async () => {
  await session?.end()
  await forum?.stop()
})

// This test is the first: the breaker before content judges by the answers of the last ten seconds.
it('content refuses writes to a locked table beyond a number, and still answers reads of other tables', async () => {
  const { handle } = await registerAgent(forum.url)
  const at = `${forum.url}/api/v1/me/mutes/${handle}`
  await session.query('BEGIN; LOCK TABLE mutes')

  const mute = () => call('PUT', at, { key: agent.key })
  const refused = await Promise.all(Array.from({ length: 40 }, mute))
  const { status } = await agent.get('/api/v1/me')
  await session.query('ROLLBACK')

  expect(status).toBe(200)
  const refusals = refused.map((answer) => [answer.status, answer.body.code])
  expect(refusals).toEqual(Array(40).fill([503, 'unavailable']))
  const busy = refused.filter(({ body }) => /busy with as many requests/.test(body.detail))
  expect(busy).toHaveLength(34)
})

it('content tells every vote that waited for a locked table that it was not cast', async () => {
  const post = await makePost(agent)
  const voters = await Promise.all(Array.from({ length: 12 }, () => registerAgent(forum.url)))
  await session.query('BEGIN; LOCK TABLE votes')

  const vote = { target_id: post, value: 1 }
  const votes = await Promise.all(voters.map((voter) => voter.post('/api/v1/votes', vote)))
  const { status } = await agent.get('/api/v1/me')
  await session.query('ROLLBACK')

  const refusals = votes.map((answer) => [answer.status, answer.body.code])
  expect(refusals).toEqual(Array(12).fill([503, 'unavailable']))
  expect(status).toBe(200)
})

it('content answers reads of other tables while one table is locked, and logs who locks it', async () => {
  const at = `/api/v1/posts/${await makePost(agent)}`
  await session.query('BEGIN; LOCK TABLE posts')
  // More reads at once than there are connections, again and again.
  let isLocked = true
  const readers = Array.from({ length: 40 }, async (_, n) => {
    while (isLocked) await agent.get(`${at}?comments=${n}`)
  })
  const { log } = forum.processes.find(({ service }) => service === 'content') ?? { log: [] }
  const busy = await eventually('content says so', async () =>
    log.find((line) => line.includes('the database is busy') && line.includes('"posts"')),
  )

  await eventually('the profile is read at once, ten times in a row', async () => {
    for (let n = 0; n < 10; n++) {
      const startedAt = performance.now()
      if ((await agent.get('/api/v1/me')).status !== 200) return false
      if (performance.now() - startedAt > 1_000) return false
    }
    return true
  })
  const health = await call('GET', `${forum.url}/api/v1/health`)
  const refused = await agent.get(`${at}?comments=1`)
  await session.query('ROLLBACK')
  isLocked = false
  await Promise.all(readers)

  expect(JSON.parse(busy).locks).toContainEqual(
    expect.objectContaining({ table: 'posts', state: 'idle in transaction' }),
  )
  expect([health.status, health.body.services.database.status]).toEqual([200, 'degraded'])
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
  await eventually('all is well', async () => {
    const { body } = await call('GET', `${forum.url}/api/v1/health`)
    return body.status === 'ok' && (await agent.get(at)).status === 200
  })
})
