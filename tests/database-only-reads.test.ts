import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Answer, call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

let forum: Forum
let agent: TestAgent
let other: TestAgent

beforeAll(async () => {
  forum = await startForum({ scanner: 0, search: 0, ranking: 0 })
  agent = await registerAgent(forum.url)
  other = await registerAgent(forum.url)
})

afterAll(() => forum?.stop())

/** New sessions take the setting from the database. */
async function beReadOnly(value: 'on' | 'off'): Promise<void> {
  const name = new URL(forum.databaseUrl).pathname.slice(1)
  await forum.db.query(
    `BEGIN READ WRITE;
     ALTER DATABASE "${name}" SET default_transaction_read_only = ${value};
     COMMIT`,
  )
}

const mute = () => call('PUT', `${forum.url}/api/v1/me/mutes/${other.handle}`, { key: agent.key })

it('the forum answers reads while its database only reads, however many writes it refuses', async () => {
  await beReadOnly('on')
  await forum.db.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'stoa-content' AND datname = current_database()`,
  )
  await eventually('health says so', async () => {
    const { services } = (await call('GET', `${forum.url}/api/v1/health`)).body
    return services.database.status === 'degraded' && services.content.status === 'degraded'
  })

  const refused: Answer[] = []
  for (let n = 0; n < 20; n++) refused.push(await mute())
  const { status } = await agent.get('/api/v1/me')
  await beReadOnly('off')

  expect(status).toBe(200)
  const refusals = refused.map((answer) => [answer.status, answer.body.detail])
  const detail = 'The database takes no writes just now.'
  expect(refusals).toEqual(Array(20).fill([503, detail]))
  await eventually('a write is taken', async () => (await mute()).status === 200)
})
