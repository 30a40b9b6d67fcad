import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { RankPost } from '@stoa/shared/contracts/events.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { randomToken } from '@stoa/shared/identifiers/ids.js'
import { Redis } from 'ioredis'
import {
  applyLive,
  beginGeneration,
  fill,
  GONE_MAX,
  type HotPage,
  type HotStore,
  type Marker,
  readMarker,
  readPage,
  serveGeneration,
} from './hot-store.ts'
import { GENERATION_KEYS, keysOf } from './keys.ts'
import { runScript } from './lua.ts'
import { DROP } from './scripts.ts'
import { aPost, idsOf } from './testing/harness.ts'

const { TEST_REDIS_URL: url } = process.env
const withRedis = url ? describe : describe.skip
const TOKEN = 'mine'
const STREAM = 'a stream'

let redis: Redis
let store: HotStore
let prefix: string

beforeAll(() => {
  if (url) redis = new Redis(url)
})

beforeEach(async () => {
  if (!url) return
  const limits = { globalMax: 4, communityMax: 4 }
  prefix = `test-${randomToken(4)}:`
  store = { redis, keys: keysOf(prefix), limits, hot: HOT_DEFAULTS }
  await redis.set(store.keys.lease, TOKEN, 'EX', 60)
})

afterEach(async () => {
  const names = await redis?.keys(`*${prefix}*`)
  if (names?.length) await redis.del(...names)
})

afterAll(() => redis?.disconnect())

/** Serves a generation that holds these posts. */
async function serve(...posts: RankPost[]): Promise<void> {
  const generation = await beginGeneration(store)
  expect(await fill(store, TOKEN, generation, posts, 0)).toBe('ok')
  const marker = { generation, position: 0, stream: STREAM }
  expect(await serveGeneration(store, TOKEN, marker, posts.length)).toBe('ok')
}

/** Applies each post as an event of its own. */
async function apply(...posts: RankPost[]): Promise<void> {
  for (const post of posts) {
    const marker = (await readMarker(store)) as Marker
    const { outcome } = await applyLive(store, TOKEN, marker, [post], marker.position + 1)
    expect(outcome).toBe('ok')
  }
}

async function ids(community?: string): Promise<string[] | undefined> {
  const page = await readPage(store, community, 100, undefined)
  return page?.posts.map(([id]) => id)
}

/** The number of posts whose revision is stored, and of removed posts among them. */
async function remembered(): Promise<{ revisions: number; gone: number }> {
  const root = `${store.keys.generationPrefix}${(await readMarker(store))?.generation}:`
  // One of the fields is the sentinel, which shows that Redis has dropped none.
  const revisions = (await redis.hlen(`${root}revisions`)) - 1
  return { revisions, gone: await redis.zcard(`${root}gone`) }
}

type Three = [RankPost, RankPost, RankPost, ...RankPost[]]

withRedis('a hot set that was cut', () => {
  it('keeps no post with exactly the score that was cut off, since others of this score are missing', async () => {
    const [cut, twin, gone, ...others] = [1, 1, 2, 3, 4, 5].map((n) => aPost(n)) as Three
    await serve(cut, gone, ...others)
    await apply({ ...gone, visible: false, revision: 2 })

    await apply(twin)

    expect(await ids()).toEqual(idsOf(...others).reverse())
  })

  it('is not read if Redis has dropped how far it reaches', async () => {
    await serve(...[1, 2, 3, 4, 5].map((n) => aPost(n)))
    const { generation } = (await readMarker(store)) as Marker

    await redis.del(`${store.keys.generationPrefix}${generation}:floors`)

    expect(await ids()).toBeUndefined()
  })

  it('may be empty without counting as a set that Redis has dropped', async () => {
    await serve(...Array.from({ length: 5 }, () => aPost(1)))
    expect(await ids()).toEqual([])

    const later = aPost(2)
    await apply(later)

    expect(await ids()).toEqual(idsOf(later))
  })

  it('forgets the revision of a post that falls below the cut', async () => {
    const posts = [aPost(1), aPost(2), aPost(3), aPost(4), aPost(5)]
    await serve(...posts)

    await apply({ ...(posts[2] as RankPost), score: -9, revision: 2 })

    expect(await ids()).toHaveLength(3)
    expect(await remembered()).toEqual({ revisions: 3, gone: 0 })
  })
})

withRedis('a post of the hot order', () => {
  it('leaves the list of its old community when it moves to another community', async () => {
    const post = aPost(1, { community_slug: 'here' })
    await serve(post, aPost(2, { community_slug: 'here' }))

    await apply({ ...post, community_slug: 'there', revision: 2 })

    expect(await ids('here')).not.toContain(post.post_id)
    expect(await ids('there')).toEqual(idsOf(post))
  })

  it('is remembered after its removal until it is back or too many other posts were removed', async () => {
    const [kept, ...others] = Array.from({ length: GONE_MAX + 2 }, (_, n) => {
      return aPost(n, { visible: false, revision: 2 })
    })
    const post = kept as RankPost
    await serve(post)
    expect(await remembered()).toEqual({ revisions: 1, gone: 1 })

    await apply({ ...post, visible: true, revision: 3 })
    expect(await remembered()).toEqual({ revisions: 1, gone: 0 })

    const marker = (await readMarker(store)) as Marker
    await applyLive(store, TOKEN, marker, others, marker.position + 1)
    expect(await ids()).toEqual(idsOf(post))
    expect(await remembered()).toEqual({ revisions: 1 + GONE_MAX, gone: GONE_MAX })
  })
})

withRedis('a generation that is being built', () => {
  it('accepts no page twice, and no page after a missing page', async () => {
    const generation = await beginGeneration(store)
    expect(await fill(store, TOKEN, generation, [aPost(1), aPost(2)], 0)).toBe('ok')

    expect(await fill(store, TOKEN, generation, [aPost(3)], 0)).toBe('superseded')
    expect(await fill(store, TOKEN, generation, [aPost(3)], 3)).toBe('superseded')
    expect(await fill(store, TOKEN, generation, [aPost(3)], 2)).toBe('ok')
  })

  it('is superseded if Redis has forgotten it, so that its rebuild begins again at once', async () => {
    const forgotten = { generation: 'forgotten', position: 0, stream: STREAM }

    const filled = await fill(store, TOKEN, forgotten.generation, [aPost(1)], 0)
    const served = await serveGeneration(store, TOKEN, forgotten, 0)

    expect([filled, served]).toEqual(['superseded', 'superseded'])
  })

  it('accepts more posts at once than one script can hold', async () => {
    const posts = Array.from({ length: 1_001 }, (_, n) => aPost(n))

    await serve(...posts)

    expect(await ids()).toEqual(idsOf(...posts.slice(-4).reverse()))
  })

  it('is not served if it holds fewer posts than were put in', async () => {
    const generation = await beginGeneration(store)
    await fill(store, TOKEN, generation, [aPost(1)], 0)
    const marker = { generation, position: 0, stream: STREAM }

    expect(await serveGeneration(store, TOKEN, marker, 2)).toBe('superseded')

    expect(await readMarker(store)).toBeUndefined()
  })

  it('is not served if Redis has dropped a part of it', async () => {
    const generation = await beginGeneration(store)
    const post = aPost(1)
    await fill(store, TOKEN, generation, [post], 0)
    await redis.del(`${store.keys.generationPrefix}${generation}:hot:${post.community_slug}`)
    const marker = { generation, position: 0, stream: STREAM }

    expect(await serveGeneration(store, TOKEN, marker, 1)).toBe('vanished')

    expect(await readMarker(store)).toBeUndefined()
  })

  it('can be neither filled nor served after its removal has begun', async () => {
    const generation = await beginGeneration(store)
    const posts = Array.from({ length: 100 }, (_, n) => aPost(n, { community_slug: `c${n}` }))
    expect(await fill(store, TOKEN, generation, posts, 0)).toBe('ok')
    const { lease, marker, generations, generationPrefix } = store.keys

    const args = [TOKEN, generationPrefix, 1, ...GENERATION_KEYS]
    expect(await runScript(redis, DROP, [lease, marker, generations], args)).toBe(1)

    expect(await fill(store, TOKEN, generation, [aPost(100)], 100)).toBe('vanished')
    const end = { generation, position: 0, stream: STREAM }
    expect(await serveGeneration(store, TOKEN, end, 100)).toBe('vanished')
  })

  it('does not replace the generation that the new holder of the lease serves', async () => {
    const late = await beginGeneration(store)
    expect(await fill(store, TOKEN, late, [aPost(1)], 0)).toBe('ok')
    const newer = aPost(2)
    await serve(newer)
    await redis.set(store.keys.lease, 'another')

    const marker = { generation: late, position: 0, stream: STREAM }
    expect(await serveGeneration(store, TOKEN, marker, 1)).toBe('lost')

    expect(await ids()).toEqual(idsOf(newer))
  })
})

withRedis('a process that has lost the lease', () => {
  it('can change neither the served generation nor a generation that is being built', async () => {
    const served = aPost(1)
    await serve(served)
    const marker = (await readMarker(store)) as Marker
    const building = await beginGeneration(store)
    await redis.set(store.keys.lease, 'another')

    const applied = await applyLive(store, TOKEN, marker, [aPost(2)], marker.position + 1)
    const filled = await fill(store, TOKEN, building, [aPost(3)], 0)

    expect([applied.outcome, filled]).toEqual(['lost', 'lost'])
    expect(await ids()).toEqual(idsOf(served))
    expect(await readMarker(store)).toEqual(marker)
  })
})

withRedis('a page of the hot order', () => {
  it('goes on from the old place of a post that has moved since', async () => {
    const posts = [aPost(1), aPost(2), aPost(3), aPost(4)]
    const [first, second, third] = posts as [RankPost, RankPost, RankPost]
    await serve(...posts)
    const before = await readPage(store, undefined, 2, undefined)
    const [, last] = before?.posts ?? []

    await apply({ ...third, score: -9, revision: 2 })

    const [id, score] = last as [string, number]
    const page = await readPage(store, undefined, 2, [score, id])
    expect(page?.posts.map(([id]) => id)).toEqual(idsOf(second, first))
  })

  it('repeats no post with the same score if the last post of the previous page was removed', async () => {
    const posts = [aPost(1), aPost(1), aPost(1)]
    await serve(...posts)
    const before = (await readPage(store, undefined, 2, undefined)) as HotPage
    const [, [id, score]] = before.posts as [unknown, [string, number]]
    const last = posts.find((post) => post.post_id === id) as RankPost
    const [third] = (await ids())?.slice(2) ?? []

    await apply({ ...last, visible: false, revision: 2 })

    const page = await readPage(store, undefined, 2, [score, id])
    expect(page?.posts.map(([id]) => id)).toEqual([third])
  })
})
