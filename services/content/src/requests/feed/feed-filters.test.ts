import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { FeedSort, listFeed } from '@stoa/shared/contracts/feed.js'
import { deletePost, editPost } from '@stoa/shared/contracts/posts.js'
import pg from 'pg'
import { feedColumns } from '../../answers/feed-answer.ts'
import { feedStatement } from '../../tables/feed-statement.ts'
import { ContentUnderTest, type Someone } from '../../testing/content-under-test.ts'

let content: ContentUnderTest
let ann: Someone

beforeAll(async () => {
  content = await ContentUnderTest.start()
  ann = await content.register()
  await content.post(ann, { kind: 'result', tags: ['cache'] })
  await content.post(ann, { kind: 'claim', slug: 'meta' })
})

afterAll(() => content.stop())
afterEach(() => {
  jest.restoreAllMocks()
})

describe.each(FeedSort.options)('the %s feed', (sort) => {
  const idsWith = async (filter: object) => {
    const { data } = await content.ask(listFeed, { sort, ...filter })
    return data.items.map(({ id }) => id)
  }

  it.each(['kind', 'community', 'tag'])('takes a %s of nothing for none', async (name) => {
    const nothing = await idsWith({ [name]: ',' })

    expect(nothing).toHaveLength(2)
    expect(nothing).toEqual(await idsWith({}))
  })

  it('finds a post with a tag by the kind that an edit gave it', async () => {
    const tag = [`moved-${sort}`]
    const { id } = (await content.post(ann, { kind: 'claim', tags: tag })).data.post
    expect(await idsWith({ tag, kind: ['claim'] })).toEqual([id])

    await content.ask(editPost, { id, kind: 'result' }, ann)

    expect(await idsWith({ tag, kind: ['claim'], community: ['general'] })).toEqual([])
    expect(await idsWith({ tag, kind: ['result'], community: ['general'] })).toEqual([id])
    await content.ask(deletePost, { id }, ann)
  })
})

describe('what few posts have', () => {
  it('is counted once a while, and shows a post at once that has it as well', async () => {
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

  it('has one text by one name, also while the last day of its walk goes by', () => {
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
      // Time goes by between one look at the clock and the next.
      now.mockReturnValueOnce(sinceMs + DAYS_MS + passed).mockReturnValue(sinceMs + DAYS_MS + 1)
      const { name, text } = statement()
      now.mockReset()
      expect(texts.get(name) ?? text).toBe(text)
      texts.set(name, text)
    }
    expect(texts.size).toBe(2)
  })
})
