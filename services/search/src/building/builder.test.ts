import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals'
import { SearchType } from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventuallyPasses } from '../../../../tests/support/eventually.ts'
import { describeWithMeili, MEILI } from '../../../../tests/support/meilisearch.ts'
import { signal } from '../../../../tests/support/signal.ts'
import { ForumIndex } from '../indexing/forum-index.ts'
import { SCHEMA } from '../indexing/index-settings.ts'
import { aPost, Forum } from '../testing/harness.ts'
import { Builder } from './builder.ts'

let forum: Forum

beforeAll(async () => {
  forum = await Forum.start(MEILI)
})

afterEach(() => {
  jest.restoreAllMocks()
  return forum.reset()
})
afterAll(() => forum.close())

async function isBuilt(): Promise<void> {
  await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
  await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
}

/** Stops search after it has indexed one post, and adds another that only a rebuild finds. */
async function twoReleases(): Promise<string[]> {
  const [known, unknown] = [aPost(), aPost()]
  forum.documents.set(known.id, known)
  await forum.startSearch()
  await isBuilt()
  await forum.stopSearch()
  forum.documents.set(unknown.id, unknown)
  return [unknown.id, known.id]
}

describeWithMeili('an index that another release has filled', () => {
  it('is filled again if that release was older and indexed otherwise', async () => {
    const all = await twoReleases()
    await forum.meili.markAs(SCHEMA - 1)

    await forum.startSearch()

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(all))
  })

  it('is left as it is if that release is newer and may still run', async () => {
    const [, known] = await twoReleases()
    await forum.meili.markAs(SCHEMA + 1)

    await forum.startSearch()
    await isBuilt()

    expect(await forum.ids()).toEqual([known])
  })
})

describeWithMeili('the first index', () => {
  it('is filled once content is there if content was away when search started', async () => {
    const post = aPost()
    forum.documents.set(post.id, post)
    forum.whileReading = () => {
      forum.whileReading = () => {}
      throw new AppError('unavailable')
    }

    await forum.startSearch()

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([post.id]))
    expect(forum.logged.join()).toContain('rebuild not started')
  })

  it('is filled by the next replica at once if the first replica is stopped while it reads', async () => {
    const post = aPost()
    forum.documents.set(post.id, post)
    const [reads, isStopping] = [signal(), signal()]
    forum.whileReading = async (limit) => {
      if (limit === 1) return
      reads.give()
      await isStopping.given
    }
    const { close } = Builder.prototype
    jest.spyOn(Builder.prototype, 'close').mockImplementation(function (this: Builder) {
      const closed = close.call(this)
      isStopping.give()
      return closed
    })
    await forum.startSearch()
    await reads.given
    await forum.stopSearch()

    await forum.startSearch()

    // What the first replica began would count as abandoned only after a minute.
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([post.id]))
  })

  it('is tried again at growing intervals if it cannot be filled, however many searches there are', async () => {
    jest.spyOn(ForumIndex.prototype, 'fill').mockRejectedValue(new Error('no room'))
    const post = aPost()
    forum.documents.set(post.id, post)
    // Each try begins by counting the documents of every type.
    const counted: number[] = []
    forum.whileReading = (limit) => {
      if (limit === 1) counted.push(performance.now())
    }
    const tries = () => counted.filter((_, n) => n % SearchType.options.length === 0)

    await forum.startSearch()
    await eventuallyPasses(async () => {
      await forum.ids().catch(() => {})
      expect(tries().length).toBeGreaterThanOrEqual(4)
    })

    // The second try shows that the first has failed, and comes as soon as somebody looks.
    const [, second = 0, third = 0, fourth = 0] = tries()
    expect(third - second).toBeGreaterThanOrEqual(1_000)
    expect(fourth - third).toBeGreaterThanOrEqual(2_000)
    jest.restoreAllMocks()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([post.id]))
  })

  it('has all texts of a forum that Meilisearch cannot take in one request', async () => {
    // One word, because only the first of each is sent; so long that Meilisearch indexes little of
    // it.
    const body = 'tide'.repeat(10_000)
    const posts = Array.from({ length: 60 }, () => aPost({ body_md: body }))
    const comment = aPost({ id: newId('comment'), type: 'comment', kind: '' })
    for (const one of [...posts, comment]) forum.documents.set(one.id, one)

    await forum.startSearch()
    await isBuilt()

    expect(await forum.ids({ limit: 100 })).toHaveLength(posts.length)
    expect(await forum.ids({ type: 'comment' })).toEqual([comment.id])
  })

  it('is filled by at most twelve tasks at a time', async () => {
    // A page of such posts makes one task.
    for (let n = 0; n < 14 * 200; n++) {
      const post = aPost({ body_md: 'tide'.repeat(2_700) })
      forum.documents.set(post.id, post)
    }
    const { fill, done } = ForumIndex.prototype
    let [underWay, most, sent] = [0, 0, 0]
    jest.spyOn(ForumIndex.prototype, 'fill').mockImplementation(function (
      this: ForumIndex,
      uid,
      lines,
    ) {
      most = Math.max(most, ++underWay)
      sent += lines.toString().trimEnd().split('\n').length
      return fill.call(this, uid, lines)
    })
    jest.spyOn(ForumIndex.prototype, 'done').mockImplementation(async function (
      this: ForumIndex,
      task,
    ) {
      await done.call(this, task)
      underWay--
    })

    await forum.startSearch()
    await isBuilt()

    expect(most).toBe(12)
    const { size } = forum.documents
    expect(sent).toBe(size)
    expect(await forum.meili.sizes()).toEqual({ live: size, recent: 0 })
    expect(forum.logged.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ msg: 'rebuilt', documents: size }),
    )
  })
})
