import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { ensureStreams } from '@stoa/shared/bus/streams.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { Redis } from 'ioredis'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { signal } from '../../../tests/support/signal.ts'
import { beginGeneration, dropUnserved, fill } from './hot-store.ts'
import type { Script } from './lua.ts'
import { APPLY, SWAP } from './scripts.ts'
import { aPost, Forum, idsOf } from './testing/harness.ts'
import { Worker } from './worker.ts'

const LIMITS = { limits: { globalMax: 1_000, communityMax: 100 }, hot: HOT_DEFAULTS }

let forum: Forum

beforeAll(async () => {
  forum = await Forum.start()
})

afterAll(() => forum.close())

afterEach(() => {
  jest.restoreAllMocks()
  return forum.reset()
})

/** Makes Redis run a script at once, while the caller gets the answer only later. */
async function holdBack({ lua, sha }: Script) {
  const goesOn = signal()
  // Loaded first: a script that Redis does not know would be sent again only after the held answer.
  await forum.redis.script('LOAD', lua)
  const atOnce = Redis.prototype.evalsha as (...args: unknown[]) => Promise<unknown>
  const later = function (this: Redis, ...args: unknown[]) {
    const answer = atOnce.apply(this, args)
    return args[0] === sha ? goesOn.given.then(() => answer) : answer
  }
  jest.spyOn(Redis.prototype, 'evalsha').mockImplementation(later as never)
  return goesOn
}

describe('a rebuild', () => {
  it('starts by itself if nothing was built, and the hot list is null until it is done', async () => {
    const posts = [aPost(1), aPost(2)]
    for (const post of posts) forum.posts.set(post.post_id, post)
    forum.failSnapshots = true
    await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toBeNull())
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('running'))
    expect(await forum.health()).toMatchObject({ status: 'degraded', parts: { cache: 'ok' } })

    forum.failSnapshots = false

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(...posts.reverse())))
    expect(await forum.health()).toMatchObject({ status: 'ok' })
  })

  it('starts by itself after Redis was wiped, and the hot list is null instead of empty until it is done', async () => {
    await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    const post = aPost(1)
    await forum.publish(post)
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(post)))

    forum.failSnapshots = true
    await forum.wipe()

    expect(await forum.ids()).toBeNull()
    forum.failSnapshots = false
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(post)))
  })

  it('starts on request, reports its progress, and lets the old order be served meanwhile', async () => {
    await forum.startRanking()
    const [kept, forgotten] = [aPost(1), aPost(2)]
    await forum.publish(kept, forgotten)
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))
    const before = await forum.redis.hget(forum.keys.marker, 'generation')
    // Content no longer has the post, so only a rebuild can notice.
    forum.posts.delete(forgotten.post_id)

    expect(await forum.rebuild(true)).toMatchObject({ state: 'running' })
    expect(await forum.ids()).not.toBeNull()

    await eventuallyPasses(async () =>
      expect(await forum.rebuild(false)).toEqual({
        object: 'rebuild',
        state: 'idle',
        done: 1,
        total: 1,
        generation: expect.any(String),
      }),
    )
    const after = await forum.redis.hget(forum.keys.marker, 'generation')
    expect(after).not.toBe(before)
    await eventuallyPasses(async () =>
      expect(await forum.redis.keys(`${forum.keys.generationPrefix}${before}:*`)).toEqual([]),
    )
  })

  it('starts on request even if the rebuild before it does not know yet that its order is served', async () => {
    const [known, unknown] = [aPost(1), aPost(2)]
    forum.posts.set(known.post_id, known)
    const goesOn = await holdBack(SWAP)
    await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(known)))
    // No event tells of the post, so only a rebuild can find it.
    forum.posts.set(unknown.post_id, unknown)

    expect((await forum.rebuild(true)).state).toBe('running')
    goesOn.give()

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(unknown, known)))
  })

  it('tells the rebuild command how many posts it has placed', async () => {
    await forum.startRanking()
    await forum.publish(aPost(1), aPost(2), aPost(3))

    const { code, output } = await forum.rebuildByCommand()

    expect(output).toContain('ranking is rebuilt, 3 entries in all, after ')
    expect(output).not.toContain('0 of 0')
    expect(code).toBe(0)
  })

  it('is the only one, even if the worker looks several times while it waits for content', async () => {
    await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    const goesOn = signal()
    forum.whileReading = () => goesOn.given
    const looks = jest.spyOn(Redis.prototype, 'hget')
    const before = forum.snapshotCalls

    await forum.rebuild(true)
    await eventuallyPasses(async () => expect(looks.mock.calls.length).toBeGreaterThan(3))
    const calls = forum.snapshotCalls
    goesOn.give()

    expect(calls).toBe(before + 1)
  })

  it('goes on and keeps its progress if it is requested again', async () => {
    await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    for (let n = 0; n < 6_000; n++) {
      const post = aPost(n)
      forum.posts.set(post.post_id, post)
    }
    forum.failFurtherPages = true
    await forum.rebuild(true)
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).done).toBe(5_000))

    const again = await forum.rebuild(true)

    expect(again).toMatchObject({ state: 'running', done: 5_000, total: 6_000 })
  })

  it('gives up a page that content refuses several times, and begins again', async () => {
    const post = aPost(1)
    forum.posts.set(post.post_id, post)
    forum.failSnapshots = true
    await forum.startRanking()

    // Its five attempts take 15 s.
    await eventuallyPasses(async () => expect(forum.logged.join()).toContain('rebuild failed'))
    forum.failSnapshots = false

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(post)))
  })

  it('is not served if its replica stops while it reads', async () => {
    const ranking = await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    const served = await forum.generations()
    const post = aPost(1)
    forum.posts.set(post.post_id, post)
    const stops = jest.spyOn(Worker.prototype, 'close')
    const reads = signal()
    forum.whileReading = async () => {
      reads.give()
      await eventuallyPasses(async () => expect(stops).toHaveBeenCalled())
    }
    await forum.rebuild(true)
    await reads.given

    await ranking.close()

    expect(await forum.generations()).toEqual(served)
  })

  it('leaves nothing in Redis if its replica stops', async () => {
    for (let n = 0; n < 6_000; n++) {
      const post = aPost(n)
      forum.posts.set(post.post_id, post)
    }
    forum.failFurtherPages = true
    const ranking = await forum.startRanking()
    await eventuallyPasses(async () => {
      const filled = await forum.redis.keys(`${forum.keys.generationPrefix}*:filled`)
      expect(filled).toHaveLength(1)
    })

    await ranking.close()

    expect(await forum.generations()).toEqual([])
    expect(await forum.redis.keys(`${forum.keys.generationPrefix}*`)).toEqual([])
  })

  it('has ended and removed all of its sets before its replica has stopped', async () => {
    const ranking = await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    const served = await forum.generations()
    // So many sets are not all deleted at once.
    for (let n = 0; n < 6_000; n++) {
      const post = aPost(n, { community_slug: `c${n}` })
      forum.posts.set(post.post_id, post)
    }
    forum.failFurtherPages = true
    await forum.rebuild(true)
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).done).toBe(5_000))

    await ranking.close()

    expect(await forum.generations()).toEqual(served)
  })

  it('starts again at once if Redis was wiped while it ran', async () => {
    const post = aPost(1)
    forum.posts.set(post.post_id, post)
    forum.whileReading = async () => {
      forum.whileReading = () => {}
      await forum.wipe()
    }

    await forum.startRanking()

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(post)))
  })

  it('fails without an unhandled rejection if its replica has lost the lease', async () => {
    for (let n = 0; n < 6_000; n++) {
      const post = aPost(n)
      forum.posts.set(post.post_id, post)
    }
    // While the first page is written the second is requested, and fails until nobody awaits it.
    const readBefore = forum.snapshotCalls
    forum.whileReading = async () => {
      if (forum.snapshotCalls === readBefore + 1) return
      await forum.redis.set(forum.keys.lease, 'stranger')
      throw new Error('asked to fail')
    }

    await forum.startRanking()

    // A rejection that nobody catches fails this test, and would end the process.
    await eventuallyPasses(async () => expect(forum.logged.join()).toContain('not active any more'))
  })

  it('first removes the remains of a dead rebuild, but never a generation that another replica builds', async () => {
    const store = { redis: forum.redis, keys: forum.keys, ...LIMITS }
    const lease = store.keys.lease
    const [left, empty] = [await beginGeneration(store), await beginGeneration(store)]
    const communities = Array.from({ length: 600 }, (_, n) => aPost(n, { community_slug: `c${n}` }))
    await forum.redis.set(lease, 'other')
    expect(await fill(store, 'other', left, communities, 0)).toBe('ok')

    await dropUnserved(store, 'mine')
    expect((await forum.generations()).sort()).toEqual([left, empty].sort())

    await forum.redis.del(lease)
    let whileReading: string[] = []
    forum.whileReading = async () => {
      whileReading = await forum.generations()
    }
    await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    expect(whileReading.length).toBe(1)
    expect([left, empty]).not.toContain(whileReading[0])
    expect(await forum.redis.keys(`${forum.keys.generationPrefix}${left}:*`)).toEqual([])
  })

  it('misses no event that is published while it runs', async () => {
    await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    const posts = Array.from({ length: 50 }, (_, n) => aPost(n + 1))
    forum.whileReading = async () => {
      forum.whileReading = () => {}
      for (const post of posts) await forum.publish(post)
    }

    await forum.rebuild(true)
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(...posts.reverse())))
  })

  it('starts by itself after the stream was created again', async () => {
    await forum.startRanking()
    await forum.publish(aPost(1), aPost(2))
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))

    await forum.stream('DELETE')
    const silent = aPost(3)
    forum.posts.set(silent.post_id, silent)
    await ensureStreams(forum.content.nc)

    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(3))
    const next = aPost(4)
    await forum.publish(next)
    await eventuallyPasses(async () => expect((await forum.ids())?.[0]).toBe(next.post_id))
  })

  it('starts by itself after events were lost before ranking read them', async () => {
    const first = await forum.startRanking()
    await forum.publish(aPost(1))
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(1))
    await first.close()
    await forum.publish(aPost(2), aPost(3))
    await forum.stream('PURGE')

    await forum.startRanking()

    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(3))
  })

  it('starts by itself after events were lost while earlier events were applied', async () => {
    await forum.startRanking()
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    const goesOn = await holdBack(APPLY)
    // More events than are read ahead.
    const posts = Array.from({ length: 200 }, (_, n) => aPost(n))
    await forum.publish(...posts)
    await forum.stream('PURGE')

    goesOn.give()

    const newest = idsOf(...posts.slice(-50).reverse())
    await eventuallyPasses(async () => expect(await forum.ids({ limit: 50 })).toEqual(newest))
  })
})
