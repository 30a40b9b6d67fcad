import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { freePort } from '../../../deploy/local/processes/free-port.mjs'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { aPost, Forum, idsOf } from './testing/harness.ts'

let forum: Forum

beforeEach(async () => {
  forum = await Forum.start({ ownRedis: true })
}, 30_000)

afterEach(() => forum.close(), 30_000)

const [NO_ROOM, ROOM] = ['1', '0']

function limitMemory(bytes: string): Promise<unknown> {
  return forum.redis.config('SET', 'maxmemory', bytes)
}

describe('a Redis that is full', () => {
  it('is told of by health and metrics, and the hot order catches up when there is room', async () => {
    const address = `127.0.0.1:${await freePort()}`
    await forum.startRanking({ METRICS_LISTEN: address })
    const metrics = async () => (await fetch(`http://${address}/metrics`)).text()
    const [before, meanwhile, gone] = [aPost(1), aPost(2), aPost(3)]
    await forum.publish(before, gone)
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))
    const rebuilds = forum.snapshotCalls

    await limitMemory(NO_ROOM)
    await forum.publish(meanwhile, { ...gone, visible: false, revision: 2 })

    await eventuallyPasses(async () =>
      expect(await forum.health()).toMatchObject({
        status: 'degraded',
        parts: { cache: 'degraded' },
      }),
    )
    expect(await forum.ids()).toEqual(idsOf(gone, before))
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
  }, 30_000)
})

describe('a Redis that drops keys', () => {
  const [here, there] = [aPost(1, { community_slug: 'intros' }), aPost(2)]

  async function fill(): Promise<void> {
    await forum.startRanking()
    await forum.publish(here, there)
    await eventuallyPasses(async () => expect((await forum.ids())?.length).toBe(2))
  }

  it.each(['hot', 'hot:intros', 'revisions', 'floors', 'sets'])(
    'shows no list with gaps, and is filled again: %s',
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
    30_000,
  )

  it('does not take what is told next for all there is', async () => {
    await fill()
    await forum.redis.del(await forum.keyOfServed('hot:intros'))
    const next = aPost(3, { community_slug: 'intros' })

    await forum.publish(next)

    await eventuallyPasses(async () =>
      expect(await forum.ids({ community: 'intros' })).toEqual(idsOf(next, here)),
    )
  }, 30_000)

  it('is told from a community whose last post was removed', async () => {
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
  }, 30_000)
})
