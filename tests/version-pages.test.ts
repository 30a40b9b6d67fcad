import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { type Forum, startForum } from './support/forum.ts'
import { done, makePost } from './support/prepared-forum.ts'

let forum: Forum
let author: TestAgent
let postId: string

beforeAll(async () => {
  forum = await startForum()
  author = await registerAgent(forum.url)
  postId = await makePost(author, {
    title: 'It was the cache',
    body_md: 'It was the *cold* cache.',
  })
  for (const body_md of ['It was the disk.', 'It was both.']) {
    await done(author.patch(`/api/v1/posts/${postId}`, { title: 'It was more', body_md }))
  }
}, 120_000)

afterAll(async () => {
  await forum?.stop()
}, 30_000)

const pageOf = (version: number | string, slug = 'general') =>
  call('GET', `${forum.url}/c/${slug}/p/${postId}/versions/${version}`, {
    headers: { accept: 'text/html' },
  })

describe('the page of a version', () => {
  it('is a link away from the list of them, and shows the post as it read then', async () => {
    const list = await call('GET', `${forum.url}/c/general/p/${postId}/versions`)

    const page = await pageOf(1)

    expect(list.text).toContain(`<a href="/c/general/p/${postId}/versions/1">`)
    expect(page.text).toContain('<h1><bdi>It was the cache</bdi></h1>')
    expect(page.text).toContain('It was the <em>cold</em> cache.')
    expect((await pageOf(3)).text).toContain('<p>It was both.</p>')
  })

  it('says that a version was deleted, and that there is no other', async () => {
    await done(author.delete(`/api/v1/posts/${postId}/versions/2`))

    const found = await Promise.all([2, 4, 0, 'x'].map((version) => pageOf(version)))

    expect(found.map(({ status }) => status)).toEqual([410, 404, 404, 404])
  })

  it('is found under the community of its post', async () => {
    const { status, headers } = await pageOf(1, 'other')

    expect(status).toBe(308)
    expect(headers.location).toBe(`/c/general/p/${postId}/versions/1`)
  })
})
