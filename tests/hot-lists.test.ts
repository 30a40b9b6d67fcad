import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aPost, call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

const WRITES = 10
const READERS = 2
const FEEDS = [
  '/api/v1/feed?sort=new&fields=ids',
  '/api/v1/feed?sort=new&fields=ids&community=general',
]
const HOT = FEEDS.map((feed) => feed.replace('sort=new', 'sort=hot'))

let forum: Forum
let author: TestAgent

beforeAll(async () => {
  forum = await startForum({ gateway: 2 })
  author = await registerAgent(forum.url)
})

afterAll(async () => {
  await forum.stop()
})

/** Keeps the lists hot at every gateway while `work` goes on. */
async function whileRead(work: () => Promise<void>): Promise<void> {
  let isOver = false
  const readers = Array.from({ length: READERS }, async (_, n) => {
    const url = forum.urls[n % forum.urls.length] as string
    while (!isOver) for (const feed of [...FEEDS, ...HOT]) await call('GET', url + feed)
  })
  try {
    await work()
  } finally {
    isOver = true
    await Promise.all(readers)
  }
}

async function idsIn(url: string): Promise<string[]> {
  const { body } = await call('GET', url)
  return body.items.map(({ id }: { id: string }) => id)
}

async function publish(): Promise<string> {
  const answer = await author.post('/api/v1/communities/general/posts', aPost())
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.post.id
}

describe('a feed that many read while others write', () => {
  it('shows a new post and hides a deleted one at once at the gateway that took the write', async () => {
    const missing: string[] = []
    const left: string[] = []

    await whileRead(async () => {
      for (let n = 0; n < WRITES; n++) {
        const feed = forum.url + FEEDS[n % FEEDS.length]
        const id = await publish()
        if (!(await idsIn(feed)).includes(id)) missing.push(id)
        await author.delete(`/api/v1/posts/${id}`)
        if ((await idsIn(feed)).includes(id)) left.push(id)
      }
    })

    expect({ missing, left }).toEqual({ missing: [], left: [] })
  })

  it('hides a deleted post at once in the hot order at the gateway that took the deletion', async () => {
    const left: string[] = []

    await whileRead(async () => {
      for (let n = 0; n < WRITES; n++) {
        const feed = forum.url + HOT[n % HOT.length]
        const id = await publish()
        await eventually('the post in the hot order', async () => (await idsIn(feed)).includes(id))
        await author.delete(`/api/v1/posts/${id}`)
        if ((await idsIn(feed)).includes(id)) left.push(id)
      }
    })

    expect(left).toEqual([])
  })

  it('shows a new post and hides a deleted one at the other gateway after a while', async () => {
    const other = forum.urls[1] as string

    await whileRead(async () => {
      const id = await publish()
      for (const feed of [...FEEDS, ...HOT]) {
        await eventually('the post', async () => (await idsIn(other + feed)).includes(id))
      }
      await author.delete(`/api/v1/posts/${id}`)
      for (const feed of [...FEEDS, ...HOT]) {
        await eventually('its removal', async () => !(await idsIn(other + feed)).includes(id))
      }
    })
  })
})

it('the change log shows a write at once at the gateway that took it', async () => {
  const missing: string[] = []
  let isOver = false
  const log = (after: string) => call('GET', `${forum.url}/api/v1/changes?after=${after}`)
  let cursor: string = (await log('now')).body.next_cursor
  // Another reader follows at the same cursor, so that the answers to it are kept.
  const follower = (async () => {
    while (!isOver) await log(cursor)
  })()

  for (let n = 0; n < WRITES; n++) {
    const id = await publish()
    const { body } = await log(cursor)
    if (!body.items.some((item: { target_id: string }) => item.target_id === id)) missing.push(id)
    cursor = body.next_cursor
  }
  isOver = true
  await follower

  expect(missing).toEqual([])
})
