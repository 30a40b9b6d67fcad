import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { aPost, Forum, idsOf } from './testing/harness.ts'

let forum: Forum

beforeAll(async () => {
  forum = await Forum.start()
})

afterAll(() => forum.close())

afterEach(() => forum.reset())

describe('replicas of ranking', () => {
  it('go on without a rebuild from the place where the previous replica stopped', async () => {
    const first = await forum.startRanking()
    await forum.publish(aPost(1))
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(1))
    await first.close()
    const rebuilds = forum.snapshotCalls
    await forum.publish(aPost(2))

    await forum.startRanking()

    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))
    expect(forum.snapshotCalls).toBe(rebuilds)
  })

  it('take over from each other: one works until it loses the lease, and another goes on', async () => {
    await forum.startRanking()
    await forum.startRanking()
    await forum.publish(aPost(1))
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(1))
    const { lease } = forum.keys

    // Another worker took the lease, so the one that was active must not write any more.
    await forum.redis.set(lease, 'stranger')
    await forum.publish(aPost(2))
    await eventuallyPasses(async () => expect(await forum.readers()).toEqual([]))
    expect((await forum.ids())?.length).toBe(1)

    await forum.redis.del(lease)
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))
  })
})

describe('an event that no worker applies', () => {
  it('degrades the health after ten seconds', async () => {
    await forum.startRanking()
    await forum.publish(aPost(1))
    await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))

    await forum.redis.set(forum.keys.lease, 'stranger')
    await forum.publish(aPost(2))

    await eventuallyPasses(async () =>
      expect(await forum.health()).toMatchObject({ status: 'degraded', parts: { cache: 'ok' } }),
    )
  })
})

describe('the lease of a stopped worker', () => {
  it('is free for other workers at once', async () => {
    const first = await forum.startRanking({ LEASE_MS: '60000' })
    await forum.publish(aPost(1))
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(1))

    await first.close()

    expect(await forum.redis.exists(forum.keys.lease)).toBe(0)
  })
})

describe('the lease of a dead worker', () => {
  it('lasts no longer if the clock of Redis was set back', async () => {
    await forum.redis.set(forum.keys.lease, 'dead', 'PX', 3_600_000)
    await forum.publish(aPost(1))

    await forum.startRanking()

    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(1))
  })
})

describe('an interrupted rebuild', () => {
  const [known, unknown] = [aPost(1), aPost(2)]
  let served: string[]

  /**
   * Asks for a rebuild, which waits for content; only it can find the post that no event told of.
   */
  async function beginRebuild(): Promise<void> {
    await forum.publish(known)
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(known)))
    forum.posts.set(unknown.post_id, unknown)
    served = await forum.generations()
    forum.failSnapshots = true
    await forum.rebuild(true)
    await eventuallyPasses(async () =>
      expect((await forum.generations()).length).toBeGreaterThan(served.length),
    )
  }

  const isFound = () =>
    eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(unknown, known)))

  it('is begun again by the next replica after its replica was stopped', async () => {
    const first = await forum.startRanking()
    await beginRebuild()

    await first.close()
    forum.failSnapshots = false
    await forum.startRanking()

    await isFound()
  })

  it('is begun again by another replica after its replica has lost the lease', async () => {
    // With a long lease, the worker does not check it for a while.
    await forum.startRanking({ LEASE_MS: '60000' })
    await beginRebuild()

    await forum.redis.del(forum.keys.lease)
    forum.failSnapshots = false
    await eventuallyPasses(async () => expect(await forum.generations()).toEqual(served))
    await forum.startRanking()

    await isFound()
  })
})
