import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aPost, call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, type Service, startForum } from './support/forum.ts'
import { type Line, lineTo } from './support/line-to.ts'
import { makePost } from './support/prepared-forum.ts'

let forum: Forum
let line: Line
let agent: TestAgent

beforeAll(async () => {
  forum = await startForum({ content: 0 })
  line = await lineTo(forum.databaseUrl)
  await forum.start('content', { DATABASE_URL: line.url })
  agent = await registerAgent(forum.url)
})

afterAll(async () => {
  await line?.close()
  await forum?.stop()
})

/** Ends the newest process of each service, all at once, and returns the status of each. */
async function terminate(...services: Service[]): Promise<Record<string, number | null>> {
  const ends = services.map(async (service) => {
    const newest = forum.processes.findLast((process) => process.service === service)
    if (!newest) throw new Error(`no ${service} was started`)
    const ended = once(newest.child, 'exit')
    newest.child.kill('SIGTERM')
    const [status] = await ended
    return [service, status] as const
  })
  return Object.fromEntries(await Promise.all(ends))
}

async function whileHung<T>({ pid }: { pid: number }, run: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP')
  try {
    return await run()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

const write = () => agent.post('/api/v1/communities/general/posts', aPost())

/** Waits until all of the posts are in the change log, the hot list and the index. */
async function areEverywhere(posts: string[]): Promise<void> {
  const lists = [
    'changes?types=post.published&limit=100',
    'feed?sort=hot&limit=100',
    'search?q=mended&limit=100',
  ]
  for (const list of lists) {
    await eventually(`they are in ${list}`, async () => {
      const { text } = await call('GET', `${forum.url}/api/v1/${list}`)
      return posts.every((id) => text.includes(id))
    })
  }
}

it('content ends as told while PostgreSQL hangs, and nothing is lost that it had answered', async () => {
  const answered = await Promise.all([makePost(agent), makePost(agent)])
  line.hold()
  const underWay = write()

  const ends = await terminate('content')

  line.release()
  expect(ends).toEqual({ content: 0 })
  expect((await underWay).status).toBeGreaterThanOrEqual(500)
  await forum.start('content', { DATABASE_URL: line.url })
  await areEverywhere([...answered, await makePost(agent)])
})

it('ranking ends as told while Redis hangs', async () => {
  const ends = await whileHung(forum.redis, () => terminate('ranking'))

  expect(ends).toEqual({ ranking: 0 })
  await forum.start('ranking')
})

it('every service ends as told while NATS hangs, and nothing is lost that was answered', async () => {
  await forum.startGateway()
  const answered = await Promise.all([makePost(agent), makePost(agent)])

  const ends = await whileHung(forum.nats, async () => {
    const underWay = write()
    const ended = await terminate('content', 'scanner', 'search', 'ranking', 'gateway')
    await underWay
    return ended
  })

  expect(ends).toEqual({ content: 0, scanner: 0, search: 0, ranking: 0, gateway: 0 })
  await Promise.all([
    forum.start('content', { DATABASE_URL: line.url }),
    ...(['scanner', 'search', 'ranking'] as const).map((service) => forum.start(service)),
  ])
  const next = await eventually('posts are taken again', async () => {
    const { status, body } = await write()
    return status === 201 && (body.post.id as string)
  })
  await areEverywhere([...answered, next])
})
