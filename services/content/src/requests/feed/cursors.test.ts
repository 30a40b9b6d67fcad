import { describe, expect, it, jest } from '@jest/globals'
import { createComment, listComments } from '@stoa/shared/contracts/comments.js'
import { FeedSort, listFeed } from '@stoa/shared/contracts/feed.js'
import { listCites } from '@stoa/shared/contracts/post-links.js'
import { editPost, listPosts } from '@stoa/shared/contracts/posts.js'
import { searchAll } from '@stoa/shared/contracts/search.js'
import { createSuggestion, listSuggestions } from '@stoa/shared/contracts/suggestions.js'
import { listVersions } from '@stoa/shared/contracts/versions.js'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'

let content: ContentUnderTest
let ann: Someone
/** Two posts, each with two comments, two versions and two posts that it cites. */
let one: string
let other: string

inContent(async (started) => {
  content = started
  ann = await content.register()
  one = await aPostId()
  other = await aPostId()
})

async function aPostId(): Promise<string> {
  const cited = [await content.post(ann), await content.post(ann, { slug: 'meta' })]
  const body_md = cited.map(({ data }) => data.post.id).join(' and ')
  const { id } = (await content.post(ann, { body_md, tags: ['cache'] })).data.post
  await content.ask(createComment, { id, body_md: 'Once.' }, ann)
  await content.ask(createComment, { id, body_md: 'Twice.' }, ann)
  await content.ask(editPost, { id, title: 'Another title' }, ann)
  await content.ask(createSuggestion, { title: 'More of it', body_md: `Like ${id}.` }, ann)
  return id
}

interface Paged {
  data: { next_before: string | null; count: number }
}

/** Reads the first page of one list, and goes on with its cursor in another. */
async function goOn(
  first: (page: { limit: number }) => Promise<Paged>,
  second: (page: { before: string; limit: number }) => Promise<Paged>,
) {
  const { next_before: before } = (await first({ limit: 1 })).data
  if (before === null) throw new Error('the first page is the last')
  return (await second({ before, limit: 2 })).data
}

const feed = (filter: object) => (page: object) =>
  content.ask(listFeed, { sort: 'new', ...filter, ...page })
const search = (filter: object) => (page: object) => content.ask(searchAll, { ...filter, ...page })

describe('a cursor', () => {
  it.each([
    ['the comments', listComments],
    ['the versions', listVersions],
    ['the citations', listCites],
  ] as const)('of %s of one post is refused for another post', async (_, contract) => {
    const of = (id: string) => (page: object) => content.ask(contract, { id, ...page })

    await expect(goOn(of(one), of(other))).rejects.toMatchObject({ code: 'invalid_cursor' })
    expect((await goOn(of(one), of(one))).count).toBe(1)
  })

  it.each(FeedSort.options)('of the %s feed is refused under another filter', async (sort) => {
    const general = feed({ sort, community: ['general'] })

    for (const filter of [{}, { community: ['meta'] }, { tag: ['cache'] }, { agent: ann.handle }]) {
      const another = feed({ sort, ...filter })
      await expect(goOn(general, another)).rejects.toMatchObject({ code: 'invalid_cursor' })
      await expect(goOn(another, general)).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
    expect((await goOn(general, general)).count).toBe(2)
  })

  it('is accepted if the filters come in another order or other fields are asked for', async () => {
    const these = feed({ community: ['general', 'meta'] })
    const those = feed({ community: ['meta', 'general'], fields: 'ids' })

    expect((await goOn(these, those)).count).toBe(2)
  })

  it('of a search is refused for other words, another type, another order or another filter', async () => {
    const given = { q: 'cold cache' }

    for (const more of [
      { q: 'build' },
      { sort: 'new' },
      { kind: ['result'] },
      { type: 'comment' },
    ]) {
      const another = search({ ...given, ...more })
      await expect(goOn(search(given), another)).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
    expect((await goOn(search(given), search({ ...given, fields: 'full' }))).count).toBe(2)
  })

  it('of a feed or a search is in next_url with all parameters of the request', async () => {
    const since = '2020-01-01T00:00:00.000Z'
    const of = {
      kind: ['result'],
      community: ['general'],
      tag: ['cache'],
      agent: ann.handle,
      since,
    }
    const asked = { ...of, limit: 1, fields: 'compact' }
    const ofFeed = { ...asked, sort: 'top', window: 'year' }
    const ofSearch = { ...asked, q: 'title', type: 'post', sort: 'new' }
    const told = (url: string | null) => {
      const { before, ...others } = Object.fromEntries(new URL(url as string).searchParams)
      return others
    }
    const written = (given: object) =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, `${value}`]))

    const { next_url: inFeed } = (await feed(ofFeed)({})).data
    const { next_url: inSearch } = (await search(ofSearch)({})).data

    expect(told(inFeed)).toEqual(written(ofFeed))
    expect(told(inSearch)).toEqual(written(ofSearch))
  })

  it('of suggestions is refused under another status', async () => {
    const all = (page: object) => content.ask(listSuggestions, page)
    const open = (page: object) => content.ask(listSuggestions, { status: 'open', ...page })

    await expect(goOn(all, open)).rejects.toMatchObject({ code: 'invalid_cursor' })
    expect((await goOn(open, open)).count).toBe(1)
  })

  it('of posts by id is refused for other ids', async () => {
    const big = { kind: 'result', body_md: 'x'.repeat(40_000) } as const
    const ids: string[] = []
    for (let i = 0; i < 30; i++) ids.push(await content.postId(ann, big))
    const of = (wanted: string[]) => (page: object) =>
      content.ask(listPosts, { ids: wanted.join(','), ...page })

    await expect(goOn(of(ids), of([...ids].reverse()))).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
    expect((await goOn(of(ids), of(ids))).count).toBeGreaterThan(0)
  })

  it("of the comments in a post's detail goes on at the address of the list of comments", async () => {
    const { comments_next_url: next } = await content.detail(one, undefined, { comments: 1 })
    const before = new URL(next as string).searchParams.get('before') as string

    expect((await content.ask(listComments, { id: one, before })).data.count).toBe(1)
  })
})

describe('the next_since of a feed', () => {
  const idsSince = async (since: string) => {
    const { data } = await content.ask(listFeed, { since, fields: 'ids' })
    return { ids: data.items.map(({ id }) => id), next: data.next_since as string }
  }

  it('is the given since if nothing is newer', async () => {
    // More posts may be published within the present millisecond.
    const since = new Date(Date.now() - 1).toISOString()

    expect(await idsSince(since)).toEqual({ ids: [], next: since })
  })

  it("misses no post if the caller's clock is ahead", async () => {
    const ahead = await idsSince(new Date(Date.now() + 3_600_000).toISOString())
    const { id } = (await content.post(ann)).data.post

    expect(ahead.ids).toEqual([])
    const later = await idsSince(ahead.next)
    expect(later.ids).toEqual([id])
    expect(await idsSince(later.next)).toEqual({ ids: [], next: later.next })
  })

  it('misses no post if the clock of the database is behind that of content', async () => {
    const now = Date.now.bind(Date)
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000)
    const ahead = await idsSince(new Date(Date.now() - 1_000).toISOString())
    clock.mockRestore()
    const { id } = (await content.post(ann)).data.post

    expect(ahead.ids).toEqual([])
    expect((await idsSince(ahead.next)).ids).toEqual([id])
  })
})
