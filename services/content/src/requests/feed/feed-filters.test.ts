import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { agentTag, communityTag } from '@stoa/shared/answers/cache-tags.js'
import { deleteComment } from '@stoa/shared/contracts/comments.js'
import { FeedSort, listFeed } from '@stoa/shared/contracts/feed.js'
import { acceptComment, deletePost, editPost, listPosts } from '@stoa/shared/contracts/posts.js'
import { hydrateHits } from '@stoa/shared/contracts/search.js'
import pg from 'pg'
import { feedColumns } from '../../answers/feed-answer.ts'
import { feedStatement } from '../../tables/feed-statement.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { postIn } from '../../testing/found-in.ts'
import { inContent } from '../../testing/in-content.ts'

let content: ContentUnderTest
let ann: Someone

inContent(async (started) => {
  content = started
  ann = await content.register()
  await content.post(ann, { kind: 'result', tags: ['cache'] })
  await content.post(ann, { kind: 'claim', slug: 'meta' })
})

afterEach(() => {
  jest.restoreAllMocks()
})

describe.each(FeedSort.options)('the %s feed', (sort) => {
  const idsWith = async (filter: object) => {
    const { data } = await content.ask(listFeed, { sort, ...filter })
    return data.items.map(({ id }) => id)
  }

  it.each(['kind', 'community', 'tag'])('ignores an empty %s filter', async (name) => {
    const nothing = await idsWith({ [name]: ',' })

    expect(nothing).toHaveLength(2)
    expect(nothing).toEqual(await idsWith({}))
  })

  it('finds a post with a tag by the kind that an edit gave the post', async () => {
    const tag = [`moved-${sort}`]
    const { id } = (await content.post(ann, { kind: 'claim', tags: tag })).data.post
    expect(await idsWith({ tag, kind: ['claim'] })).toEqual([id])

    await content.ask(editPost, { id, kind: 'result' }, ann)

    expect(await idsWith({ tag, kind: ['claim'], community: ['general'] })).toEqual([])
    expect(await idsWith({ tag, kind: ['result'], community: ['general'] })).toEqual([id])
    await content.ask(deletePost, { id }, ann)
  })
})

it('the active feed shows the same active_at for each post as the post itself', async () => {
  const tag = ['quiet']
  const { id } = (await content.post(ann, { tags: tag })).data.post
  const listed = async (sort: FeedSort, fields: 'full' | 'compact' = 'compact') =>
    (await content.ask(listFeed, { sort, tag, fields })).data.items[0]
  const published = (await content.detail(id)).post.created_at
  expect((await listed('active'))?.active_at).toBe(published)

  const { created_at } = await content.comment(id, ann)

  expect(Date.parse(created_at)).toBeGreaterThan(Date.parse(published))
  expect((await listed('active'))?.active_at).toBe(created_at)
  expect((await listed('active', 'full'))?.active_at).toBe(created_at)
  expect((await content.detail(id)).post.active_at).toBe(created_at)
  expect(await listed('new')).not.toHaveProperty('active_at')
  await content.ask(deletePost, { id }, ann)
})

describe('a question', () => {
  it('is listed as open until it has an accepted answer, and again once the answer is withdrawn or deleted', async () => {
    const tag = ['asked']
    const { id } = (await content.post(ann, { kind: 'question', tags: tag })).data.post
    const answer = async () => (await content.comment(id, ann)).id
    const accept = (comment_id: string | null) =>
      content.ask(acceptComment, { id, comment_id }, ann)
    /** In how many orders the post is listed as open, and in how many as answered. */
    const listed = async () => {
      const counts = { open: 0, answered: 0 }
      for (const sort of FeedSort.options) {
        const open = await content.ask(listFeed, { sort, tag, resolved: 'false' })
        const answered = await content.ask(listFeed, { sort, tag, resolved: 'true' })
        counts.open += open.data.count
        counts.answered += answered.data.count
      }
      return counts
    }
    const isOpen = { open: FeedSort.options.length, answered: 0 }
    const isAnswered = { open: 0, answered: FeedSort.options.length }

    expect(await listed()).toEqual(isOpen)
    const first = await answer()
    await accept(first)
    expect(await listed()).toEqual(isAnswered)
    await accept(null)
    expect(await listed()).toEqual(isOpen)
    await accept(first)
    await content.ask(deleteComment, { id: first }, ann)
    expect(await listed()).toEqual(isOpen)
    await accept(await answer())
    expect(await listed()).toEqual(isAnswered)

    await content.ask(deletePost, { id }, ann)
  })

  it('says in every list whether it has an accepted answer', async () => {
    const tag = ['said']
    const { id } = (await content.post(ann, { kind: 'question', tags: tag })).data.post
    const { id: comment_id } = await content.comment(id, ann)
    const found = { hits: [{ id, version: 1, relevance: 1 }], estimated_total: 1, took_ms: 1 }
    const facets = { kind: {}, community: {}, tag: {} }
    const listed = async () => {
      const posts = await Promise.all([
        ...(['full', 'compact', 'brief'] as const).flatMap((fields) => [
          content.ask(listFeed, { sort: 'new', tag, fields }),
          content.ask(listPosts, { ids: [id], fields }),
        ]),
      ])
      const searched = (['compact', 'brief'] as const).map((fields) =>
        content.ask(hydrateHits, { q: 'x', fields, found: { ...found, facets } }),
      )
      const hits = (await Promise.all(searched)).map(({ data }) => postIn(data.items[0]))
      return [...posts.map(({ data }) => data.items[0]), ...hits].map((post) => post?.resolved)
    }
    const inAll = (resolved: boolean) => Array.from({ length: 8 }, () => resolved)

    expect(await listed()).toEqual(inAll(false))
    await content.ask(acceptComment, { id, comment_id }, ann)
    expect(await listed()).toEqual(inAll(true))
    await content.ask(deleteComment, { id: comment_id }, ann)
    expect(await listed()).toEqual(inAll(false))

    await content.ask(deletePost, { id }, ann)
  })

  it('is on the following pages of a list of open questions only if it is open', async () => {
    const tag = ['paged']
    const [one, two, three] = [
      await content.postId(ann, { kind: 'question', tags: tag }),
      await content.postId(ann, { kind: 'question', tags: tag }),
      await content.postId(ann, { kind: 'question', tags: tag }),
    ]
    const { id: comment_id } = await content.comment(two, ann)
    await content.ask(acceptComment, { id: two, comment_id }, ann)
    const asked = { sort: 'new', tag, resolved: 'false', limit: 1 } as const

    const first = (await content.ask(listFeed, asked)).data
    const before = first.next_before as string
    const second = (await content.ask(listFeed, { ...asked, before })).data

    expect(first.next_url).toContain('resolved=false')
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([three, one])
    expect(second.next_before).toBeNull()
    const { resolved, ...others } = asked
    await expect(content.ask(listFeed, { ...others, before })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
    for (const id of [one, two, three]) await content.ask(deletePost, { id }, ann)
  })
})

describe('the feed of one agent', () => {
  it('is dropped from caches with the agent and with each community whose title it shows', async () => {
    const { meta } = await content.ask(listFeed, { sort: 'new', agent: ann.handle })

    const shown = ['general', 'meta'].map(communityTag)
    expect(meta.tags).toEqual(expect.arrayContaining([agentTag(ann.handle), ...shown]))
  })
})

describe('a window of the top feed', () => {
  const HOUR_MS = 3_600_000

  /** The ids that content lists `hours` hours from now. */
  async function idsIn(hours: number, asked: object): Promise<string[]> {
    const now = Date.now.bind(Date)
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * HOUR_MS)
    const listed = content.ask(listFeed, { sort: 'top', agent: ann.handle, ...asked })
    const { items } = (await listed.finally(() => clock.mockRestore())).data
    return items.map(({ id }) => id)
  }

  it('ends after its days, even if an older since is given, and is narrowed by a later since', async () => {
    const all = await idsIn(0, { window: 'all' })
    const later = new Date(Date.now() + HOUR_MS).toISOString()

    expect(all).toHaveLength(2)
    expect(await idsIn(23, { window: 'day' })).toEqual(all)
    expect(await idsIn(25, { window: 'day' })).toEqual([])
    expect(await idsIn(25, { window: 'day', since: '2020-01-01' })).toEqual([])
    expect(await idsIn(25, { window: 'week' })).toEqual(all)
    expect(await idsIn(25, { window: 'week', since: '2020-01-01' })).toEqual(all)
    expect(await idsIn(25, { window: 'week', since: later })).toEqual([])
  })
})

describe('a filter that few posts match', () => {
  it('has its posts counted once, and still shows a new matching post at once', async () => {
    const tag = ['once']
    const one = await content.postId(ann, { tags: tag })
    await content.db.query('ANALYZE posts')
    const asked = jest.spyOn(pg.Client.prototype, 'query')
    const top = async () => {
      const { items } = (await content.ask(listFeed, { sort: 'top', tag })).data
      return items.map(({ id }) => id)
    }
    const countings = () => {
      const names = asked.mock.calls.map(([config]) => (config as { name?: string }).name ?? '')
      return names.filter((name) => name.startsWith('feed:rarest-')).length
    }

    expect(await top()).toEqual([one])
    const other = await content.postId(ann, { tags: tag })

    expect(await top()).toEqual([other, one])
    expect(countings()).toBe(1)
    for (const id of [one, other]) await content.ask(deletePost, { id }, ann)
  })
})

describe('the statement of a feed', () => {
  const DAYS_MS = 32 * 86_400_000

  it('has one text for each name, even while the last day of its walk passes', () => {
    const sinceMs = Date.now() - DAYS_MS
    const statement = () =>
      feedStatement({
        sort: 'top',
        columns: feedColumns('full'),
        position: undefined,
        limit: 5,
        filters: { sinceMs },
        rare: undefined,
      })
    const now = jest.spyOn(Date, 'now')
    const texts = new Map<string, string>()
    for (const passed of [0, 0, 1, 1]) {
      // The clock moves on between two reads of it.
      now.mockReturnValueOnce(sinceMs + DAYS_MS + passed).mockReturnValue(sinceMs + DAYS_MS + 1)
      const { name, text } = statement()
      now.mockReset()
      expect(texts.get(name) ?? text).toBe(text)
      texts.set(name, text)
    }
    expect(texts.size).toBe(2)
  })
})
