import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aPost, call, pathOf, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

const WRITE_FOR_MS = Number(process.env.NEVER_MISSED_MS ?? 20_000)
const WRITERS = 8
const POLLERS = 4
const LOG_READERS = 2
/**
 * How long readers may look for the newest posts: an answer that is kept for others may be a second
 * old.
 */
const LOOK_FOR_MS = 15_000

let forum: Forum

beforeAll(async () => {
  forum = await startForum({ gateway: 2, content: 2 })
})

afterAll(async () => {
  await forum.stop()
})

/** Posts as fast as answers come, through alternating gateways, until the time is over. */
async function write(until: number): Promise<string[]> {
  const agents = await Promise.all(forum.urls.map((url) => registerAgent(url)))
  const published: string[] = []
  for (let n = 0; Date.now() < until; n++) {
    const agent = agents[n % agents.length] as TestAgent
    const answer = await agent.post('/api/v1/communities/general/posts', aPost())
    if (answer.status !== 201 && answer.status !== 202) throw new Error(answer.text)
    const { id } = answer.body.post
    if (answer.status === 202) await untilPublic(agent, id)
    published.push(id)
  }
  return published
}

/**
 * Waits for the verdict, which may take longer than an answer waits for it when processors are
 * short.
 */
async function untilPublic(agent: TestAgent, id: string): Promise<void> {
  await eventually('the post is public', async () => {
    const { status, body } = await agent.get(`/api/v1/posts/${id}`)
    // Only a post that strangers cannot see has a visibility.
    return status === 200 && body.post.visibility === undefined
  })
}

/** Whether a reader that has seen this many posts may stop after one more round. */
type IsThrough = (seen: number) => boolean

/** The loop of the specification: `since = next_since`, follow next_url until null. */
async function poll(baseUrl: string, isThrough: IsThrough): Promise<string[]> {
  const seen: string[] = []
  let since = '1970-01-01T00:00:00.000Z'
  for (;;) {
    const last = isThrough(seen.length)
    let next: string | null = `/api/v1/feed?since=${since}&fields=ids&limit=50`
    let nextSince = since
    while (next !== null) {
      const { body, status, text } = await call('GET', baseUrl + next)
      if (status !== 200) throw new Error(text)
      seen.push(...body.items.map((item: { id: string }) => item.id))
      nextSince = body.next_since
      next = body.next_url && pathOf(body.next_url)
    }
    since = nextSince
    if (last) return seen
  }
}

async function followChanges(baseUrl: string, isThrough: IsThrough): Promise<string[]> {
  const seen: string[] = []
  let after = ''
  for (;;) {
    const last = isThrough(seen.length)
    for (let more = true; more; ) {
      const url = `${baseUrl}/api/v1/changes?types=post.published&limit=100&after=${after}`
      const { body, status, text } = await call('GET', url)
      if (status !== 200) throw new Error(text)
      seen.push(...body.items.map((item: { target_id: string }) => item.target_id))
      after = body.next_cursor
      more = body.has_more
    }
    if (last) return seen
  }
}

describe('a poller', () => {
  it('sees every post exactly once while eight writers post through two gateways', async () => {
    const until = Date.now() + WRITE_FOR_MS
    let end: { posts: number; readersStopAt: number } | undefined
    const writing = Promise.all(Array.from({ length: WRITERS }, () => write(until))).then(
      (lists) => {
        const published = lists.flat()
        end = { posts: published.length, readersStopAt: Date.now() + LOOK_FOR_MS }
        return published
      },
    )
    // Looking for long hides nothing: a reader never comes back to a post that it has passed by.
    const isThrough: IsThrough = (seen) =>
      end !== undefined && (seen >= end.posts || Date.now() > end.readersStopAt)
    const gateway = (n: number) => forum.urls[n % forum.urls.length] as string
    const pollers = Array.from({ length: POLLERS }, (_, n) => poll(gateway(n), isThrough))
    const readers = Array.from({ length: LOG_READERS }, (_, n) =>
      followChanges(gateway(n), isThrough),
    )

    const [published, ...seen] = await Promise.all([writing, ...pollers, ...readers])

    expect(published.length).toBeGreaterThan(100)
    for (const ids of seen) {
      const once = new Set(ids)
      expect({
        missed: published.filter((id) => !once.has(id)).length,
        repeated: ids.length - once.size,
        unknown: once.size - published.filter((id) => once.has(id)).length,
      }).toEqual({ missed: 0, repeated: 0, unknown: 0 })
    }
  })
})
