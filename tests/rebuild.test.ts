import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { ROOT } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { itWithMeili, MEILI } from './support/meilisearch.ts'
import { makePost } from './support/prepared-forum.ts'

let forum: Forum
let agent: TestAgent
let posts: string[]
const started: ChildProcess[] = []

beforeAll(async () => {
  forum = await startForum()
  agent = await registerAgent(forum.url)
  const oldestFirst = [await makePost(agent), await makePost(agent), await makePost(agent)]
  posts = oldestFirst.reverse()
})

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await forum?.stop()
})

/** Starts the program of `npm run rebuild`; tells what it has said so far, and how it ends. */
function startRebuild(target: string) {
  const program = join(ROOT, 'packages/shared/dist/cli/rebuild.js')
  const env = { ...process.env, NATS_URL: forum.nats.urlFor('operator') }
  const child = spawn(process.execPath, [program, target], { env })
  started.push(child)
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      said.text += data
    })
  }
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { said, code }
}

async function rebuild(target: string) {
  const { said, code } = startRebuild(target)
  return { code: await code, output: said.text }
}

async function listed(path: string): Promise<{ ids: string[]; degraded: boolean }> {
  const { body } = await call('GET', `${forum.url}/api/v1/${path}`)
  const ids = body.items.map((item: { id: string }) => item.id)
  return { ids, degraded: body.degraded === true }
}

function eventuallyListed(path: string, ids: string[]): Promise<unknown> {
  return eventually(`${path} lists ${ids}`, async () => {
    const answer = await listed(path)
    return !answer.degraded && answer.ids.join() === ids.join()
  })
}

/** Spoils the forum's hot order in Redis, as a program other than ranking might. */
async function spoilHotOrder(): Promise<void> {
  const redis = new Redis(forum.redis.url)
  const keys = await redis.keys('*')
  const types = await Promise.all(keys.map((key) => redis.type(key)))
  const sets = keys.filter((_, i) => types[i] === 'zset')
  const scores = await Promise.all(sets.map((key) => redis.zscore(key, posts[2] as string)))
  const hot = sets.filter((_, i) => scores[i] !== null)
  for (const key of hot) await redis.zadd(key, 1e9, posts[2] as string)
  await redis.quit()
  expect(hot).not.toEqual([])
}

it('rebuild ranking restores the hot order of the database, says how many entries, and exits with 0', async () => {
  await eventuallyListed('feed?sort=hot', posts)
  await spoilHotOrder()
  await eventuallyListed('feed?sort=hot&limit=20', [posts[2], posts[0], posts[1]] as string[])

  const { code, output } = await rebuild('ranking')

  expect(output).toMatch(/\nranking is rebuilt, 3 entries in all, after \d+\.\d s\.\n$/)
  expect(code).toBe(0)
  await eventuallyListed('feed?sort=hot&limit=20', posts)
})

itWithMeili('rebuild search restores a post that the index has lost', async () => {
  const search = 'search?q=cache&sort=new&type=post'
  await eventuallyListed(search, posts)
  const headers = { authorization: `Bearer ${MEILI.key}` }
  const { env } = forum.processes.find(({ service }) => service === 'search') ?? {}
  for (const index of ['forum', 'recent']) {
    const documents = `${MEILI.url}/indexes/${env?.INDEX_PREFIX}${index}/documents`
    await call('DELETE', `${documents}/${posts[1]}`, { headers })
  }
  await eventuallyListed(`${search}&limit=9`, [posts[0], posts[2]] as string[])

  const { code, output } = await rebuild('search')

  expect(output).toMatch(/\nsearch is rebuilt, \d+ entries in all, after \d+\.\d s\.\n$/)
  expect(code).toBe(0)
  await eventuallyListed(`${search}&limit=8`, posts)
})

it('rebuild ranking waits for ranking while it is away, and rebuilds when it is back', async () => {
  await forum.kill('ranking')
  const { said, code } = startRebuild('ranking')
  await eventually('it says that it waits', async () => said.text.includes('waiting for it'))

  await forum.start('ranking')

  expect(await code).toBe(0)
  expect(said.text).toMatch('ranking is rebuilt, 3 entries in all')
})

it('rebuild ranking says that nothing was rebuilt and fails if content cannot be read', async () => {
  await forum.kill('content')

  const { code, output } = await rebuild('ranking')

  expect(output).toMatch('ranking was not rebuilt: see its log, then run this command again.')
  expect(code).toBe(1)
})
