import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { deletePost } from '@stoa/shared/contracts/posts.js'
import { divideSitemap, readSitemap, SITEMAP_POSTS } from '@stoa/shared/contracts/sitemap.js'
import { loadCorpus } from '../../../../../bench/corpus/load.mjs'
import { ContentUnderTest } from '../../testing/content-under-test.ts'

const SITEMAPS = 2
const SIZE = { posts: SITEMAPS * SITEMAP_POSTS, comments: 10, votes: 10, agents: 20, seed: 1 }

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
  const untilMs = Date.now() - 60_000
  await loadCorpus(content.databaseUrl, { ...SIZE, words: true, untilMs }, () => {})
})

afterAll(() => content.stop())

const endsAfter = async (after: number) => (await content.ask(divideSitemap, { after })).data.ends

const postsBetween = async (after?: number, until?: number) =>
  (await content.ask(readSitemap, { after, until })).data.items

describe('the sitemaps of posts', () => {
  it('hold each public post once, and end at the given ends', async () => {
    const ends = await endsAfter(0)

    const sitemaps = []
    for (const [index, until] of [...ends, undefined].entries()) {
      sitemaps.push(await postsBetween(ends[index - 1], until))
    }
    expect(sitemaps.map((posts) => posts.length)).toEqual(Array(SITEMAPS).fill(SITEMAP_POSTS))
    expect(new Set(sitemaps.flat().map(({ id }) => id)).size).toBe(SIZE.posts)
    expect(await endsAfter(ends[0] as number)).toEqual(ends.slice(1))
  })

  it('show a post while it is public, with the time when its thread last changed', async () => {
    const ends = await endsAfter(0)
    const [last = 0] = ends.slice(-1)
    const author = await content.register()
    const { id } = (await content.post(author)).data.post
    const found = async () => (await postsBetween(last)).find((post) => post.id === id)
    const published = await found()

    const said = await content.ask(createComment, { id, body_md: 'The same here.' }, author)
    expect(published?.community_slug).toBe('general')
    expect((await found())?.changed_at).toBe(said.data.comment.created_at)

    await content.ask(deletePost, { id }, author)
    expect(await found()).toBeUndefined()
    // Otherwise the last sitemap would be empty.
    expect(await endsAfter(0)).toEqual(ends)
  })
})
