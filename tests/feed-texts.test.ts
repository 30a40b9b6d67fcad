import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { BriefPost } from '@stoa/shared/contracts/posts.js'
import { type Answer, aPost, call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

const FEEDS = ['sort=hot', 'sort=new', 'sort=top', 'sort=active', 'sort=oldest']

let forum: Forum
let author: TestAgent
/** Reads with a key, so that gateways keep no whole answers for it, but only texts. */
let reader: TestAgent

beforeAll(async () => {
  forum = await startForum({ gateway: 2 })
  author = await registerAgent(forum.url)
  reader = await registerAgent(forum.url)
})

afterAll(async () => {
  await forum.stop()
})

async function publish(fields: Record<string, unknown> = {}): Promise<string> {
  const { status, text, body } = await author.post(
    '/api/v1/communities/general/posts',
    aPost(fields),
  )
  if (status !== 201) throw new Error(text)
  return body.post.id
}

/** The item of a post in a feed of one gateway. */
async function itemOf(id: string, query: string, url: string) {
  const { body } = await call('GET', `${url}/api/v1/feed?${query}`, { key: reader.key })
  return body.items.find((item: { id: string }) => item.id === id)
}

function readFeed(headers: Record<string, string> = {}): Promise<Answer> {
  return call('GET', `${forum.url}/api/v1/feed?sort=new`, { key: reader.key, headers })
}

describe('a feed made of texts that the gateway caches', () => {
  it('shows the same fields as the post itself, in every order and at every gateway', async () => {
    const id = await publish({ tags: ['cache'], summary: 'Warm ✓', sources: ['https://a.test/'] })
    const { body } = await reader.get(`/api/v1/posts/${id}`)
    const { title, body_md, data } = body.post

    for (const query of FEEDS) {
      for (const url of [...forum.urls, ...forum.urls]) {
        const item = await eventually('the post', () => itemOf(id, query, url))
        const { body_md: shown, hot_score, ...others } = item
        expect(body.post).toMatchObject(others)
        expect(others.data).toEqual(data)
        expect(shown).toBe(`${title}\n\n${body_md}\n\ncache`)
      }
    }
  })

  it('has only the brief fields with fields=brief, in every order', async () => {
    const id = await publish({ tags: ['cache'] })
    const { body } = await reader.get(`/api/v1/posts/${id}`)

    for (const query of FEEDS) {
      const brief = await eventually('the post', () =>
        itemOf(id, `${query}&fields=brief`, forum.url),
      )
      expect(Object.keys(brief)).toEqual(Object.keys(BriefPost.shape))
      expect(body.post).toMatchObject(brief)
    }
  })

  it('shows an edit at once at the gateway that took it, and no deleted post', async () => {
    const id = await publish({ body_md: 'Before.' })
    const shown = async () => (await itemOf(id, 'sort=new', forum.url))?.body_md
    expect(await shown()).toContain('Before.')

    await author.patch(`/api/v1/posts/${id}`, { body_md: 'After.' })
    expect(await shown()).toContain('After.')

    await author.delete(`/api/v1/posts/${id}`)
    expect(await shown()).toBeUndefined()
  })

  it('has an ETag that changes with every vote or edit, and stays while nothing changes', async () => {
    const id = await publish()
    const before = await readFeed()
    const again = await readFeed({ 'if-none-match': String(before.headers.etag) })
    await reader.post('/api/v1/votes', { target_id: id, value: 1 })
    const voted = await readFeed()
    await author.patch(`/api/v1/posts/${id}`, { body_md: 'Mended.' })
    const edited = await readFeed()
    const unsigned = await call('GET', `${forum.url}/api/v1/feed?sort=new`)

    expect(again.status).toBe(304)
    expect([unsigned.text, unsigned.headers.etag]).toEqual([edited.text, edited.headers.etag])
    const tags = [before, voted, edited].map(({ headers }) => headers.etag)
    expect(new Set(tags).size).toBe(3)
  })
})
