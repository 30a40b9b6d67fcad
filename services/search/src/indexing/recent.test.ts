import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals'
import { eventuallyPasses } from '../../../../tests/support/eventually.ts'
import { describeWithMeili, MEILI } from '../../../../tests/support/meilisearch.ts'
import { aPost, Forum } from '../testing/harness.ts'
import { ForumIndex } from './forum-index.ts'

/** An edited text may be found by its old words for at most this long. */
const MERGE_EVERY_MS = 10 * 60_000
/** With a pause of two seconds after every two of them, longer than these tests wait. */
const MANY = 50

let forum: Forum

beforeAll(async () => {
  forum = await Forum.start(MEILI)
})

afterEach(() => {
  jest.restoreAllMocks()
  return forum.reset()
})

afterAll(() => forum.close())

/** Waits for enough size requests, two per look, that a whole look lies after earlier acts. */
async function looksAgain(): Promise<void> {
  const asked = jest.spyOn(ForumIndex.prototype, 'sizeOf')
  await eventuallyPasses(async () => expect(asked.mock.calls.length).toBeGreaterThan(4))
}

describeWithMeili('the index of new texts on a large forum', () => {
  it('is merged after ten minutes, however few texts it holds', async () => {
    const post = aPost({ title: 'First draft' })
    forum.documents.set(post.id, post)
    await forum.startSearch({ INDEX_RECENT_FROM: '0' })
    await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
    await forum.publish({ ...post, title: 'Second draft', version: 2 })
    await eventuallyPasses(async () => expect(await forum.ids({ q: 'second' })).toEqual([post.id]))
    expect(await forum.ids({ q: 'first' })).toEqual([post.id])

    const now = performance.now.bind(performance)
    jest.spyOn(performance, 'now').mockImplementation(() => now() + MERGE_EVERY_MS)

    await eventuallyPasses(async () => expect(await forum.ids({ q: 'first' })).toEqual([]))
    expect(await forum.ids({ q: 'second' })).toEqual([post.id])
    await eventuallyPasses(async () =>
      expect(await forum.meili.sizes()).toEqual({ live: 1, recent: 0 }),
    )

    // After the merge, the recent index again has that long.
    await forum.publish(aPost())
    await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))
    await looksAgain()
    expect(await forum.meili.sizes()).toEqual({ live: 1, recent: 1 })
  })

  it('is merged without a pause if it holds more texts than one merge moves', async () => {
    // In this test a page has 2 documents instead of 200, and a merge moves at least a page.
    const { listed } = ForumIndex.prototype
    jest.spyOn(ForumIndex.prototype, 'listed').mockImplementation(function (this: ForumIndex, uid) {
      return listed.call(this, uid, 0, 2)
    })
    await forum.startSearch({ INDEX_RECENT_FROM: '0', INDEX_RECENT_MAX: '1' })
    await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
    await Promise.all(Array.from({ length: MANY }, () => forum.publish(aPost())))

    await eventuallyPasses(async () =>
      expect(await forum.meili.sizes()).toEqual({ live: MANY, recent: 0 }),
    )
  })

  it('is checked all the time, but searched for merge notes only once', async () => {
    const finished = jest.spyOn(ForumIndex.prototype, 'mergeNotes')
    await forum.startSearch({ INDEX_RECENT_FROM: '0' })
    await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
    await eventuallyPasses(async () => expect(finished).toHaveBeenCalled())

    await looksAgain()

    expect(finished).toHaveBeenCalledTimes(1)
  })
})
