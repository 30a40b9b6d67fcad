import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { freePort } from '../../../deploy/local/processes/free-port.mjs'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { beginGeneration, fill } from './hot-store.ts'
import { aPost, Forum, idsOf } from './testing/harness.ts'

const LIMITS = { limits: { globalMax: 20_000, communityMax: 20_000 }, hot: HOT_DEFAULTS }

let forum: Forum

beforeEach(async () => {
  forum = await Forum.start({ ownRedis: true })
})

afterEach(() => forum.close())

const [NO_ROOM, ROOM] = ['1', '0']

function limitMemory(bytes: string): Promise<unknown> {
  return forum.redis.config('SET', 'maxmemory', bytes)
}

/** Waits until the worker has looked several more times at what is served, once a second. */
async function afterSomeLooks(): Promise<void> {
  const looks = async () =>
    Number(/^cmdstat_hmget:calls=(\d+)/m.exec(await forum.redis.info('commandstats'))?.[1])
  const before = await looks()
  await eventuallyPasses(async () => expect(await looks()).toBeGreaterThan(before + 6))
}

describe('ranking while Redis is full', () => {
  it('leaves the hot order to content, reports the full Redis in its health and metrics, and catches up when Redis has room again', async () => {
    const address = `127.0.0.1:${await freePort()}`
    await forum.startRanking({ METRICS_LISTEN: address })
    const metrics = async () => (await fetch(`http://${address}/metrics`)).text()
    const [before, meanwhile, gone] = [aPost(1), aPost(2), aPost(3)]
    await forum.publish(before, gone)
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))
    const rebuilds = forum.snapshotCalls

    await limitMemory(NO_ROOM)
    await forum.publish({ ...gone, visible: false, revision: 2 }, meanwhile)

    await eventuallyPasses(async () =>
      expect(await forum.health()).toMatchObject({
        status: 'degraded',
        parts: { cache: 'degraded' },
      }),
    )
    await eventuallyPasses(async () => expect(await forum.ids()).toBeNull())
    const told = await metrics()
    expect(told).toContain('\nstoa_redis_takes_writes 0\n')
    expect(told).toMatch(/^stoa_unranked_age_seconds 0*[1-9.]/m)

    await limitMemory(ROOM)

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(meanwhile, before)))
    expect(await forum.health()).toMatchObject({ status: 'ok', parts: { cache: 'ok' } })
    expect(forum.snapshotCalls).toBe(rebuilds)
    const toldThen = await metrics()
    expect(toldThen).toContain('\nstoa_redis_takes_writes 1\n')
    expect(toldThen).toContain('\nstoa_unranked_age_seconds 0\n')
  })

  it('stops reading the stream if it cannot renew the lease', async () => {
    await forum.startRanking()
    await forum.publish(aPost(1))
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(1))

    await limitMemory(NO_ROOM)
    await forum.publish(aPost(2))

    // Events read without the lease are not applied, and would be read again and again.
    await eventuallyPasses(async () =>
      expect(forum.logged.join('')).toContain('not active any more'),
    )
    await eventuallyPasses(async () => expect(await forum.readers()).toEqual([]))
  })
})

describe('ranking while Redis has no room for the hot order', () => {
  /** Leaves too little room for all that Redis is going to hold. */
  async function leaveLittleRoom(): Promise<void> {
    const used = /used_memory:(\d+)/.exec(await forum.redis.info('memory'))?.[1]
    await limitMemory(String(Number(used) + 1_200_000))
  }

  function manyPosts(): void {
    for (let n = 0; n < 12_000; n++) {
      const post = aPost(n)
      forum.posts.set(post.post_id, post)
    }
  }

  it('frees the memory of a failed rebuild, and rebuilds again only on request', async () => {
    manyPosts()
    await leaveLittleRoom()
    await forum.startRanking()
    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('failed'))
    const calls = forum.snapshotCalls

    expect(await forum.generations()).toEqual([])
    expect(await forum.redis.set('a-counter', '1')).toBe('OK')
    await afterSomeLooks()
    // Plus the page ahead that the failed rebuild may have asked for.
    expect(forum.snapshotCalls).toBeLessThanOrEqual(calls + 1)

    forum.posts.clear()
    const post = aPost(1)
    await forum.rebuild(true)
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    await forum.publish(post)
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(post)))
    // Its one page, and the page ahead that the failed rebuild may have asked for.
    expect(forum.snapshotCalls).toBeLessThanOrEqual(calls + 2)
  })

  it('reports a failed rebuild if Redis drops a key of what is being built', async () => {
    const post = aPost(1)
    forum.posts.set(post.post_id, post)
    forum.whileReading = async () => {
      if (forum.snapshotCalls === 1) return
      forum.whileReading = () => {}
      const [building] = await forum.generations()
      const root = `${forum.keys.generationPrefix}${building}:`
      await eventuallyPasses(async () => expect(await forum.redis.get(`${root}filled`)).toBe('1'))
      await forum.redis.del(`${root}hot`)
    }

    await forum.startRanking()

    await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('failed'))
    expect(await forum.ids()).toBeNull()
  })

  it('removes the remains of a dead rebuild, even if Redis has no room for the lease', async () => {
    const store = { redis: forum.redis, keys: forum.keys, ...LIMITS }
    const left = await beginGeneration(store)
    await forum.redis.set(store.keys.lease, 'dead')
    manyPosts()
    await leaveLittleRoom()
    await expect(fill(store, 'dead', left, [...forum.posts.values()], 0)).rejects.toThrow('OOM')
    await forum.redis.del(store.keys.lease)
    forum.posts.clear()
    await fillUp()

    await forum.startRanking()

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
    expect(await forum.generations()).not.toContain(left)
  })

  /** Fills Redis with data of others. */
  async function fillUp(): Promise<void> {
    const fill = (n: number) => forum.redis.rpush('others', String(n).padStart(100))
    for (let n = 0; await fill(n).catch(() => 0); n++);
  }
})

describe('ranking after Redis has dropped keys', () => {
  const [here, there] = [aPost(1, { community_slug: 'intros' }), aPost(2)]

  async function fill(): Promise<void> {
    await forum.startRanking()
    await forum.publish(here, there)
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))
  }

  it.each(['hot', 'hot:intros', 'revisions', 'floors', 'sets'])(
    'shows no list with gaps, and rebuilds the hot order: %s',
    async (name) => {
      await fill()

      await forum.redis.del(await forum.keyOfServed(name))

      const seen = await forum.ids({ community: 'intros' })
      expect([null, idsOf(here)]).toContainEqual(seen)
      await eventuallyPasses(async () => {
        expect(forum.snapshotCalls).toBeGreaterThan(1)
        expect(await forum.ids({ community: 'intros' })).toEqual(idsOf(here))
        expect(await forum.ids()).toEqual(idsOf(there, here))
      })
    },
  )

  it('does not take the next event for the whole list', async () => {
    await fill()
    await forum.redis.del(await forum.keyOfServed('hot:intros'))
    const next = aPost(3, { community_slug: 'intros' })

    await forum.publish(next)

    await eventuallyPasses(async () =>
      expect(await forum.ids({ community: 'intros' })).toEqual(idsOf(next, here)),
    )
  })

  it('rebuilds the hot order only once if Redis goes on dropping keys', async () => {
    await fill()
    await forum.redis.del(await forum.keyOfServed('hot'))
    await eventuallyPasses(async () => {
      expect(forum.snapshotCalls).toBeGreaterThan(1)
      expect(await forum.ids()).toEqual(idsOf(there, here))
    })
    const rebuilds = forum.snapshotCalls

    await forum.redis.del(await forum.keyOfServed('hot'))
    await forum.publish(aPost(3))

    await afterSomeLooks()
    expect(await forum.ids()).toBeNull()
    expect(forum.snapshotCalls).toBe(rebuilds)
  })

  it('looks for missing keys far less often than at what is served', async () => {
    await fill()
    // Only this look, and a rebuild, list the sets.
    const looks = async () =>
      Number(/^cmdstat_smembers:calls=(\d+)/m.exec(await forum.redis.info('commandstats'))?.[1])
    const before = await looks()

    await afterSomeLooks()

    expect((await looks()) - before).toBeLessThan(4)
  })

  it('does not rebuild because of a community whose last post was removed', async () => {
    await fill()
    const rebuilds = forum.snapshotCalls

    await forum.publish({ ...here, visible: false, revision: 2 })
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual(idsOf(there)))
    expect(await forum.ids({ community: 'intros' })).toEqual([])
    await forum.publish({ ...here, revision: 3 })

    await eventuallyPasses(async () =>
      expect(await forum.ids({ community: 'intros' })).toEqual(idsOf(here)),
    )
    expect(forum.snapshotCalls).toBe(rebuilds)
  })
})
