import { cpSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { applyLive, beginGeneration, fill, type HotStore, serveGeneration } from './hot-store.ts'
import { aPost, Forum } from './testing/harness.ts'

let forum: Forum

beforeEach(async () => {
  forum = await Forum.start({ ownRedis: true })
})

afterEach(() => forum.close())

/** The store as the worker sees it. */
function theStore(): HotStore {
  return {
    redis: forum.redis,
    keys: forum.keys,
    limits: { globalMax: 100, communityMax: 100 },
    hot: HOT_DEFAULTS,
  }
}

/** Stops Redis, changes what it keeps on disk, and starts it again. */
async function restartRedis(change: () => void): Promise<void> {
  await forum.stopRedis()
  change()
  await forum.startRedis()
}

const copy = () => `${forum.redisFiles}-older`

function keepCopy(): void {
  cpSync(forum.redisFiles, copy(), { recursive: true })
}

function forgetSinceCopy(): void {
  rmSync(forum.redisFiles, { recursive: true })
  cpSync(copy(), forum.redisFiles, { recursive: true })
}

describe('ranking while Redis is away', () => {
  it('answers unavailable at once, and goes on without a rebuild when Redis is back', async () => {
    await forum.startRanking()
    await forum.publish(aPost(1))
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(1))
    const rebuilds = forum.snapshotCalls

    await forum.stopRedis()

    await eventuallyPasses(() =>
      expect(forum.list()).rejects.toMatchObject({ code: 'unavailable' }),
    )
    await expect(forum.rebuild(true)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await forum.health()).toMatchObject({ status: 'degraded', parts: { cache: 'down' } })
    await forum.publish(aPost(2))

    await forum.startRedis()

    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))
    expect(await forum.health()).toMatchObject({ status: 'ok', parts: { cache: 'ok' } })
    expect(forum.snapshotCalls).toBe(rebuilds)
  })

  it('rebuilds the hot order when Redis comes back empty', async () => {
    await forum.startRanking()
    await forum.publish(aPost(1), aPost(2))
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))

    await restartRedis(() => rmSync(forum.redisFiles, { recursive: true }))

    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))
  })

  it('reads the events again that Redis has forgotten, even if no new event comes', async () => {
    // The worker keeps its lease for the whole test.
    await forum.startRanking({ LEASE_MS: '60000' })
    await forum.publish(aPost(1))
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(1))
    const rebuilds = forum.snapshotCalls
    await restartRedis(keepCopy)
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(1))
    await forum.publish(aPost(2))
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))

    await restartRedis(forgetSinceCopy)

    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))
    expect(forum.snapshotCalls).toBe(rebuilds)
  })

  it('applies no event after an event that Redis has forgotten', async () => {
    const store = theStore()
    await forum.redis.set(store.keys.lease, 'token')
    const generation = await beginGeneration(store)
    const stream = 'a stream'
    await serveGeneration(store, 'token', { generation, position: 4, stream }, 0)
    const apply = (from: number, to: number) =>
      applyLive(store, 'token', { generation, position: from, stream }, [aPost(from)], to)
    expect((await apply(4, 5)).outcome).toBe('ok')
    await restartRedis(keepCopy)
    await eventuallyPasses(() => forum.redis.ping())
    expect((await apply(5, 6)).outcome).toBe('ok')

    await restartRedis(forgetSinceCopy)
    await eventuallyPasses(() => forum.redis.ping())

    expect((await apply(6, 7)).outcome).toBe('superseded')
    expect((await apply(5, 7)).outcome).toBe('ok')
  })

  it('does not serve a generation of which Redis has forgotten a page', async () => {
    const store = theStore()
    await forum.redis.set(store.keys.lease, 'token')
    const generation = await beginGeneration(store)
    const pages = [[aPost(1), aPost(2)], [aPost(3)], [aPost(4)]] as const
    expect(await fill(store, 'token', generation, [...pages[0]], 0)).toBe('ok')
    await restartRedis(keepCopy)
    await eventuallyPasses(() => forum.redis.ping())
    expect(await fill(store, 'token', generation, [...pages[1]], 2)).toBe('ok')

    await restartRedis(forgetSinceCopy)
    await eventuallyPasses(() => forum.redis.ping())

    expect(await fill(store, 'token', generation, [...pages[2]], 3)).toBe('superseded')
    const marker = { generation, position: 0, stream: 'a stream' }
    expect(await serveGeneration(store, 'token', marker, 3)).toBe('superseded')
    expect(await serveGeneration(store, 'token', marker, 2)).toBe('ok')
  })

  it('starts, and builds the hot order once Redis is there', async () => {
    await forum.stopRedis()
    const post = aPost(1)
    forum.posts.set(post.post_id, post)
    await forum.startRanking()
    await expect(forum.list()).rejects.toMatchObject({ code: 'unavailable' })

    await forum.startRedis()

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([post.post_id]))
  })
})
