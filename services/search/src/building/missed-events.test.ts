import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals'
import { AppError } from '@stoa/shared/errors/errors.js'
import { eventuallyPasses } from '../../../../tests/support/eventually.ts'
import { describeWithMeili, MEILI } from '../../../../tests/support/meilisearch.ts'
import { ForumIndex } from '../indexing/forum-index.ts'
import { aPost, Forum } from '../testing/harness.ts'

let forum: Forum

beforeAll(async () => {
  forum = await Forum.start(MEILI)
})

afterEach(() => {
  jest.restoreAllMocks()
  return forum.reset()
})
afterAll(() => forum.close())

/** Starts search and waits until its index is built. */
async function startBuilt(): Promise<void> {
  await forum.startSearch()
  await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
  await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
}

/** Publishes a post, and waits until search has handled the event. */
async function publishIndexed(post = aPost()): Promise<string> {
  await forum.publish(post)
  await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))
  return post.id
}

async function startAgain(): Promise<void> {
  await forum.stopSearch()
  await forum.startSearch()
}

describeWithMeili('an event that the bus drops', () => {
  it('is made up for by a rebuild if it was not indexed before', async () => {
    await startBuilt()
    const indexed = await publishIndexed()
    const [done, post] = [await forum.told(), aPost()]
    forum.whileReading = () => {
      throw new AppError('unavailable')
    }
    await forum.publish(post)
    await startAgain()
    await eventuallyPasses(async () => expect(await forum.meili.notedTo()).toBe(done))

    await forum.stopSearch()
    await forum.expireEvents()
    forum.whileReading = () => {}
    await forum.startSearch()

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([post.id, indexed]))
  })

  it('causes no rebuild if it was indexed before', async () => {
    await startBuilt()
    const { generation } = await forum.rebuild(false)
    const indexed = await publishIndexed()
    await startAgain()
    await eventuallyPasses(async () => expect(await forum.meili.notedTo()).toBe(await forum.told()))

    await forum.expireEvents()
    await startAgain()
    const next = await publishIndexed()

    expect(await forum.ids()).toEqual([next, indexed])
    expect(await forum.rebuild(false)).toMatchObject({ state: 'idle', generation })
  })

  it('is looked for only once in many looks at the index', async () => {
    const looks = jest.spyOn(ForumIndex.prototype, 'isBuilt')
    const asked = jest.spyOn(ForumIndex.prototype, 'position')
    await startBuilt()
    await eventuallyPasses(async () => expect(asked).toHaveBeenCalled())

    const [lookedBefore, askedBefore] = [looks.mock.calls.length, asked.mock.calls.length]
    await eventuallyPasses(async () =>
      expect(looks.mock.calls.length).toBeGreaterThan(lookedBefore + 2),
    )

    // It is asked once more if there was no answer in time.
    expect(asked.mock.calls.length).toBeLessThanOrEqual(askedBefore + 1)
  })

  it('is not lost if a running rebuild has not read its post yet', async () => {
    const post = aPost({ title: 'First draft' })
    forum.documents.set(post.id, post)
    await startBuilt()
    forum.whileReading = async (limit) => {
      if (limit === 1) return
      forum.whileReading = () => {}
      await publishIndexed({ ...post, title: 'Second draft', version: 2 })
      await forum.expireEvents()
    }

    await forum.rebuild(true)
    await eventuallyPasses(async () =>
      expect((await forum.rebuild(false)).state).not.toBe('running'),
    )

    expect(await forum.ids({ q: 'second' })).toEqual([post.id])
  })
})
