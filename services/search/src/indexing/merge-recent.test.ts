import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals'
import { AppError } from '@stoa/shared/errors/errors.js'
import { eventuallyPasses } from '../../../../tests/support/eventually.ts'
import { describeWithMeili, MEILI } from '../../../../tests/support/meilisearch.ts'
import { connectMeili, type MeiliServer } from '../meilisearch/meili.ts'
import { aPost, Forum } from '../testing/harness.ts'
import { ForumIndex } from './forum-index.ts'
import type { IndexDeps } from './index-ids.ts'
import { finishMerges, mergeRecent } from './merge-recent.ts'

const MAX = 10

let forum: Forum
let server: MeiliServer
/** Dependencies of a replica that does what a test says. */
let deps: IndexDeps

beforeAll(async () => {
  forum = await Forum.start(MEILI)
})

beforeEach(async () => {
  server = connectMeili(MEILI.url, MEILI.key)
  deps = { bus: forum.replica, index: new ForumIndex(server, forum.prefix) }
  await forum.startSearch({ INDEX_RECENT_FROM: '0' })
  await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
  await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
})

afterEach(async () => {
  jest.restoreAllMocks()
  await forum?.reset()
  server?.close()
})

afterAll(() => forum?.close())

/** A post that is in the recent index, and was compared with content there. */
async function recentPost() {
  const post = aPost()
  await forum.publish(post)
  await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))
  return post
}

/** Ends the next comparison after `act`, as if its replica were killed. */
function killComparing(act: () => Promise<unknown> = async () => {}): void {
  forum.beforeComparing = async () => {
    forum.beforeComparing = () => {}
    await act()
    throw new AppError('unavailable')
  }
}

describeWithMeili('a merge that is killed before it has compared the moved texts', () => {
  it('is finished by another replica, even if a second merge ran at the same time', async () => {
    const gone = await recentPost()
    // Removed while it is moved: the event has already taken it from both indexes.
    forum.documents.delete(gone.id)
    let other = ''
    killComparing(async () => {
      other = (await recentPost()).id
      expect(await mergeRecent(deps, MAX)).toBe(1)
    })
    await expect(mergeRecent(deps, MAX)).rejects.toThrow('unavailable')

    await finishMerges(deps)

    expect(await forum.ids()).toEqual([other])
    expect(await forum.meili.sizes()).toEqual({ live: 1, recent: 0 })
  })

  it('is finished by another replica, even if a rebuild has exchanged the indexes before', async () => {
    const gone = await recentPost()
    const { generation } = await forum.rebuild(false)
    const { fill } = deps.index
    jest.spyOn(deps.index, 'fill').mockImplementationOnce(async (...given) => {
      forum.documents.delete(gone.id)
      await forum.rebuild(true)
      await eventuallyPasses(async () =>
        expect(await forum.rebuild(false)).toMatchObject({
          state: 'idle',
          generation: expect.not.stringMatching(String(generation)),
        }),
      )
      return fill.apply(deps.index, given)
    })
    killComparing()
    await expect(mergeRecent(deps, MAX)).rejects.toThrow('unavailable')
    // The merge note does not count as a document.
    expect(await forum.meili.sizes()).toEqual({ live: 1, recent: 0 })

    await finishMerges(deps)

    expect(await forum.meili.sizes()).toEqual({ live: 0, recent: 0 })
  })
})

describeWithMeili('a merged text', () => {
  /** Merges, and returns what a search finds when all is moved and nothing is compared yet. */
  async function foundBetween(words: string): Promise<string[]> {
    let found: string[] = []
    const { forget } = deps.index
    jest.spyOn(deps.index, 'forget').mockImplementationOnce(async (...given) => {
      await forget.apply(deps.index, given)
      found = await forum.ids({ q: words })
    })
    await mergeRecent(deps, MAX)
    return found
  }

  it('is found by its new words throughout the merge if it is edited meanwhile', async () => {
    const post = await recentPost()
    const { listed } = deps.index
    jest.spyOn(deps.index, 'listed').mockImplementationOnce(async (...given) => {
      const before = await listed.apply(deps.index, given)
      await forum.publish({ ...post, title: 'Second draft', version: 2 })
      await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))
      return before
    })

    expect(await foundBetween('second draft')).toEqual([post.id])
    expect(await forum.ids({ q: 'second draft' })).toEqual([post.id])
  })

  it('is found throughout the merge if a rebuild brings in an index without it', async () => {
    const post = await recentPost()
    const { done } = deps.index
    jest.spyOn(deps.index, 'done').mockImplementationOnce(async (task) => {
      await done.call(deps.index, task)
      await forum.meili.forget(post)
    })

    expect(await foundBetween('title')).toEqual([post.id])
    expect(await forum.ids({ q: 'title' })).toEqual([post.id])
  })

  it('can be one of more texts than one request reads, which all move and leave no note', async () => {
    const posts = Array.from({ length: 501 }, () => aPost())
    await forum.publish(...posts)
    await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))

    expect(await mergeRecent(deps, 2 * posts.length)).toBe(posts.length)

    expect(await forum.meili.sizes()).toEqual({ live: posts.length, recent: 0 })
    expect(await deps.index.mergeNotes()).toEqual([])
  })

  it('can be one of more texts than one task takes, of which the next merge moves the rest', async () => {
    const posts = Array.from({ length: 201 }, () => aPost())
    await forum.publish(...posts)
    await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))

    const first = await mergeRecent(deps, posts.length, 1)
    expect(first).toBeLessThan(posts.length)
    expect(await forum.meili.sizes()).toEqual({ live: first, recent: posts.length - first })
    expect(await mergeRecent(deps, posts.length, 1)).toBe(posts.length - first)

    expect(await forum.meili.sizes()).toEqual({ live: posts.length, recent: 0 })
  })
})
