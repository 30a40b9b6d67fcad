import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals'
import { AppError } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventuallyPasses } from '../../../../tests/support/eventually.ts'
import { describeWithMeili, MEILI } from '../../../../tests/support/meilisearch.ts'
import { aPost, Forum } from '../testing/harness.ts'
import { ForumIndex } from './forum-index.ts'

let forum: Forum

beforeAll(async () => {
  forum = await Forum.start(MEILI)
})

beforeEach(async () => {
  await forum.startSearch()
  await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
})

afterEach(() => {
  jest.restoreAllMocks()
  return forum.reset()
})
afterAll(() => forum.close())

/**
 * The event is retried for as long as it takes, while one that fails by itself is given up at last.
 */
async function isToComeAgain(): Promise<void> {
  await eventuallyPasses(async () =>
    expect(forum.logged.join()).toContain('a store is away: retry later'),
  )
  expect(forum.logged.join()).not.toContain('event not handled')
  expect(await forum.consumedTo()).toBeLessThan(await forum.told())
}

describeWithMeili('an event that search indexes', () => {
  it.each(['whileReading', 'beforeComparing'] as const)(
    'is retried, however often content times out in the step %s',
    async (asked) => {
      forum[asked] = () => {
        throw new AppError('timeout')
      }

      await forum.publish(aPost())

      await isToComeAgain()
    },
  )

  it('is retried if its post changes faster than search can index it', async () => {
    const post = aPost()
    let version = 1
    forum.beforeComparing = () => {
      version += 1
      forum.documents.set(post.id, { ...post, version })
    }

    await forum.publish(post)

    await isToComeAgain()
  })

  it('leaves nothing to find if its post is removed before search compares it', async () => {
    const post = aPost()
    forum.beforeComparing = () => void forum.documents.delete(post.id)

    await forum.publish(post)

    await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))
    expect(await forum.ids()).toEqual([])
  })

  it('costs Meilisearch nothing if no search finds what it is about', async () => {
    const written = jest.spyOn(ForumIndex.prototype, 'write')

    await forum.tell('published', newId('reproduction'))

    await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))
    expect(written).not.toHaveBeenCalled()
  })

  it('is indexed even if many events come together', async () => {
    // More documents than repeated comparing would find missing, and write.
    const posts = Array.from({ length: 150 }, () => aPost())

    await forum.publish(...posts)

    await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))
    expect((await forum.search()).estimated_total).toBe(posts.length)
  })
})
