import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { writeCursor } from '@stoa/shared/answers/cursor.js'
import type { RankPost } from '@stoa/shared/contracts/events.js'
import { hotScore } from '@stoa/shared/hot-order/hot-score.js'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { aPost, Forum, idsOf } from './testing/harness.ts'

let forum: Forum

beforeAll(async () => {
  forum = await Forum.start()
})

afterAll(() => forum.close())

afterEach(() => forum.reset())

describe('the hot order', () => {
  it('follows the stream: votes lift a post, removal takes it away', async () => {
    await forum.startRanking()
    const [old, young] = [aPost(1), aPost(2)]
    await forum.publish(old, young)
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(young, old)))

    await forum.publish({ ...old, score: 3, revision: 2 })
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(old, young)))

    await forum.publish({ ...old, visible: false, revision: 3 })
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(young)))
  })

  it('is kept for each community as well', async () => {
    await forum.startRanking()
    const [here, there] = [aPost(1, { community_slug: 'intros' }), aPost(2)]

    await forum.publish(here, there)

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(there, here)))
    expect(await forum.ids({ community: 'intros' })).toEqual(idsOf(here))
    expect(await forum.ids({ community: 'nowhere' })).toEqual([])
  })

  it('has exactly the scores that hotScore returns', async () => {
    await forum.startRanking()
    const posts = Array.from({ length: 200 }, (_, n) =>
      aPost(n * 7.123, { score: n * 3 - 100, comments: n % 7, failed: n % 3 }),
    )

    await forum.publish(...posts)

    const { ranked } = await eventuallyPasses(async () => {
      const answer = await forum.list()
      expect(answer.ranked?.length).toBe(100)
      expect(await forum.redis.zcard(await forum.keyOfServed('hot'))).toBe(200)
      return forum.list()
    })
    const expected = posts
      .map((post) => [post.post_id, hotScore(post)] as const)
      .sort((a, b) => b[1] - a[1])
    expect(ranked).toEqual(expected.slice(0, 100))
  })

  it('ignores an event that is delivered again, or late', async () => {
    await forum.startRanking()
    const post = aPost(1)
    const removed = { ...post, visible: false, revision: 5 }
    const marker = aPost(2)

    await forum.publish(removed)
    await forum.tell(post, { ...post, revision: 4, score: 9 }, { ...removed })
    await forum.publish(marker)

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(marker)))
  })
})

describe('the pages of the hot list', () => {
  it('join without gap or overlap, and order posts with the same score by id', async () => {
    await forum.startRanking()
    // The last page is full.
    const posts = Array.from({ length: 24 }, (_, n) => aPost(Math.floor(n / 5)))
    await forum.publish(...posts)
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(24))

    const seen: [string, number][] = []
    let before: string | null = null
    do {
      const page = await forum.list({ limit: 4, ...(before ? { before } : {}) })
      expect(page.ranked).not.toEqual([])
      seen.push(...(page.ranked ?? []))
      before = page.next_before
    } while (before)

    const expected = posts
      .map((post) => [post.post_id, hotScore(post)] as [string, number])
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? 1 : -1))
    expect(seen).toEqual(expected)
  })

  it('go on from the old place of a post that was removed since', async () => {
    await forum.startRanking()
    const posts = [aPost(4), aPost(3), aPost(2), aPost(1)]
    const [, second, third, fourth] = posts as [RankPost, RankPost, RankPost, RankPost]
    await forum.publish(...posts)
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(4))
    const { next_before: before } = await forum.list({ limit: 2 })

    await forum.publish({ ...second, visible: false, revision: 2 })
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(3))

    const page = await forum.list({ limit: 2, before: before as string })
    expect(page.ranked?.map(([id]) => id)).toEqual(idsOf(third, fourth))
  })

  it('refuse an invalid cursor and a cursor of another list', async () => {
    await forum.startRanking()
    for (const before of ['x', '', Buffer.from('[1]').toString('base64url')]) {
      await expect(forum.list({ before })).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
    const before = writeCursor('feed-hot', [1, `pst_${'0'.repeat(32)}`])
    await expect(forum.list({ community: 'general', before })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })

  it('are null below the kept posts, and never have a gap', async () => {
    const posts = Array.from({ length: 40 }, (_, n) => aPost(n + 1))
    for (const post of posts) forum.posts.set(post.post_id, post)
    await forum.startRanking({ HOT_GLOBAL_MAX: '12', HOT_COMMUNITY_MAX: '20' })

    const top = await eventuallyPasses(async () => {
      const page = await forum.list({ limit: 12 })
      expect(page.ranked?.length).toBe(12)
      return page
    })

    expect(top.ranked?.map(([id]) => id)).toEqual(idsOf(...posts.slice(-12).reverse()))
    const below = await forum.list({ limit: 12, before: top.next_before as string })
    expect(below).toEqual({ object: 'hot', ranked: null, next_before: null })
    expect((await forum.list({ limit: 13 })).ranked).toBeNull()
    expect((await forum.ids({ community: 'general', limit: 20 }))?.length).toBe(20)
    // Plus the sentinel, which shows whether Redis has dropped the key.
    expect(await forum.redis.hlen(await forum.keyOfServed('revisions'))).toBe(20 + 1)
  })

  it('do not include a post that rises only to the score of the cut, until it rises above it', async () => {
    const posts = Array.from({ length: 12 }, (_, n) => aPost((n + 1) * 21_600))
    for (const post of posts) forum.posts.set(post.post_id, post)
    await forum.startRanking({ HOT_GLOBAL_MAX: '10' })
    await eventuallyPasses(async () => expect((await forum.ids({ limit: 10 }))?.length).toBe(10))
    const [lowest] = posts as [RankPost]

    // One point lifts it by one half-life: from below the cut to just the height of the cut.
    await forum.publish({ ...lowest, score: 1, revision: 2 })
    const newest = aPost(14 * 21_600)
    await forum.publish(newest)

    await eventuallyPasses(async () =>
      expect((await forum.ids({ limit: 10 }))?.[0]).toBe(newest.post_id),
    )
    expect(await forum.ids({ limit: 10 })).not.toContain(lowest.post_id)
    await forum.publish({ ...lowest, score: 9, revision: 3 })
    await eventuallyPasses(async () =>
      expect(await forum.ids({ limit: 10 })).toContain(lowest.post_id),
    )
  })
})

describe('the invalidations that ranking sends', () => {
  it('are sent in bounded number for posts that come or go, and not for votes', async () => {
    const heard: { tags: string[] }[] = []
    forum.gateway.hear('invalidate', (notice) => heard.push(notice as { tags: string[] }))
    await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    const posts = Array.from({ length: 300 }, (_, n) => aPost(n))

    const startedAt = Date.now()
    for (let at = 0; at < posts.length; at += 10) await forum.publish(...posts.slice(at, at + 10))
    await eventuallyPasses(async () =>
      expect(await forum.redis.zcard(await forum.keyOfServed('hot'))).toBe(300),
    )

    await eventuallyPasses(async () =>
      expect(heard.at(-1)).toEqual({ tags: ['hot', 'hot:general'] }),
    )
    expect(heard.length).toBeLessThanOrEqual(3 + (Date.now() - startedAt) / 10)

    const alone = aPost(0, { community_slug: 'quiet' })
    const told = () => heard.filter(({ tags }) => tags.includes('hot:quiet')).length
    await forum.publish(alone)
    await eventuallyPasses(async () => expect(told()).toBe(1))
    const ofNoCommunity = () => heard.filter(({ tags }) => tags.length === 1).length
    const before = ofNoCommunity()
    await forum.publish({ ...alone, score: 99, revision: 2 })
    await eventuallyPasses(async () => expect((await forum.ids())?.[0]).toBe(alone.post_id))
    await forum.publish({ ...alone, visible: false, revision: 3 })
    await eventuallyPasses(async () => expect((await forum.ids())?.[0]).not.toBe(alone.post_id))
    await forum.publish(aPost(0, { community_slug: 'last' }))
    await eventuallyPasses(async () => expect(heard.at(-1)?.tags).toContain('hot:last'))
    expect(told()).toBe(2)
    expect(heard).not.toContainEqual({ tags: [] })
    expect(ofNoCommunity()).toBe(before)
  })

  it('include the hot list after a rebuild', async () => {
    const heard: unknown[] = []
    forum.gateway.hear('invalidate', (notice) => heard.push(notice))
    const post = aPost(1)
    forum.posts.set(post.post_id, post)

    await forum.startRanking()

    await eventuallyPasses(async () => expect(heard).toEqual([{ tags: ['hot'] }]))
  })
})
