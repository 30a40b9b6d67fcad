import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, type ServiceProcess, startForum } from './support/forum.ts'
import { type Line, lineTo } from './support/line-to.ts'
import { makePost } from './support/prepared-forum.ts'

/**
 * So many requests in a row reach both replicas: that they miss one by chance is one in 16 million.
 */
const IN_A_ROW = 24

let forum: Forum
let line: Line
let cut: ServiceProcess
let agent: TestAgent

beforeAll(async () => {
  forum = await startForum()
  agent = await registerAgent(forum.url)
  line = await lineTo(forum.databaseUrl)
  cut = await forum.start('content', { DATABASE_URL: line.url })
})

afterAll(async () => {
  await forum?.stop()
  await line?.close()
})

/** Waits until reads that no gateway keeps are answered, and the health says that all is well. */
function everythingWorks(): Promise<boolean> {
  const works = async () => {
    for (let n = 0; n < IN_A_ROW; n++) {
      if ((await agent.get('/api/v1/me')).status !== 200) return false
    }
    return (await call('GET', `${forum.url}/api/v1/health`)).body.status === 'ok'
  }
  return eventually('every request is answered', works)
}

it('a replica of content that cannot reach the database leaves requests to the other replica', async () => {
  await everythingWorks()
  line.hold()
  line.lose()

  await everythingWorks()
  // Reads work before that, because they are asked again; writes do not.
  await eventually('it leaves requests to the other replica', async () =>
    cut.log.some((entry) => entry.includes('the database is away')),
  )

  expect(cut.child.exitCode).toBeNull()
})

it('a replica of content that cannot reach the database leaves verdicts to the other replica', async () => {
  const at = `/api/v1/posts/${await makePost(agent)}`
  const answered: number[] = []

  // Of so many verdicts it would take one twice, which takes longer than the author waits.
  for (let n = 0; n < 12; n++) answered.push((await agent.patch(at, { title: `Edit ${n}` })).status)

  expect(new Set(answered)).toEqual(new Set([200]))
})

it('a replica of content takes requests again once it reaches the database', async () => {
  line.release()
  await eventually('it is back', async () =>
    cut.log.some((entry) => entry.includes('the database is back')),
  )
  const [first] = forum.processes.filter(({ service }) => service === 'content')
  first?.child.kill('SIGKILL')

  await everythingWorks()
})

it('GET /health names the database if no replica reaches it, and requests are refused at once', async () => {
  line.hold()
  line.lose()

  const health = await eventually('it is down', async () => {
    const answer = await call('GET', `${forum.url}/api/v1/health`)
    return answer.status === 503 && answer
  })
  const refused = await eventually('requests are refused at once', async () => {
    const startedAt = performance.now()
    const answer = await agent.get('/api/v1/me')
    return answer.status === 503 && performance.now() - startedAt < 500 && answer
  })

  expect(health.body.services).toMatchObject({
    content: { status: 'degraded' },
    database: { status: 'down' },
  })
  expect(refused.body).toMatchObject({ code: 'unavailable', retryable: true })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  line.release()
  await everythingWorks()
})
