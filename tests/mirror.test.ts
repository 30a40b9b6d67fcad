import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { drift } from '../services/content/src/testing/recount.ts'
import { type Forum, startForum } from './support/forum.ts'
import { act } from './support/mirror/acts.ts'
import { miscounts } from './support/mirror/counts.ts'
import { differences } from './support/mirror/differences.ts'
import { elsewhereDifferences, leaks } from './support/mirror/elsewhere.ts'
import { FeedPoller } from './support/mirror/feed-poller.ts'
import { FilteredFollower } from './support/mirror/filtered-follower.ts'
import { personalDifferences } from './support/mirror/inboxes.ts'
import { brokenLinks } from './support/mirror/links.ts'
import { feedDifferences, hotDifferences } from './support/mirror/lists.ts'
import { PageFollower, StreamFollower } from './support/mirror/log-copy.ts'
import { auditDifferences, writtenTwice } from './support/mirror/once.ts'
import { Random } from './support/mirror/random.ts'
import { searchDifferences } from './support/mirror/searches.ts'
import { settled } from './support/mirror/settled.ts'
import { readForum, type Shown } from './support/mirror/shown.ts'
import { newWorld, type World } from './support/mirror/world.ts'

/** `MIRROR_SEED` goes on with another. What is in flight together comes in another order each time. */
const SEEDS = [17, ...(process.env.MIRROR_SEED ? [Number(process.env.MIRROR_SEED)] : [])]
const ACTS = Number(process.env.MIRROR_ACTS ?? 150)

let forum: Forum
let world: World
let shown: Shown
let pages: PageFollower
let stream: StreamFollower
let poller: FeedPoller
let filtered: FilteredFollower[]

beforeAll(async () => {
  forum = await startForum({ gateway: 2, content: 2 })
  world = await newWorld(forum)
  pages = new PageFollower(forum.url)
  stream = await StreamFollower.of(forum.urls[1] as string)
  poller = new FeedPoller(forum.url)
  filtered = [
    new FilteredFollower(forum.url, 'tag', 'alpha'),
    new FilteredFollower(forum.url, 'kind', 'result'),
  ]
}, 120_000)

afterAll(async () => {
  stream?.close()
  await forum?.stop()
}, 30_000)

describe.each(SEEDS)('after random acts (seed %i)', (seed) => {
  beforeAll(async () => {
    world.random = new Random(seed)
    await act(world, ACTS, () =>
      Promise.all([pages, poller, ...filtered].map((follower) => follower.advance())),
    )
    const end = await settled(world)
    await Promise.all([pages, stream, ...filtered].map((follower) => follower.reach(end)))
    shown = await readForum(world)
  }, 240_000)

  it('nothing has failed', () => {
    expect(world.failures).toEqual([])
  })

  it('whatever was acknowledged is there once', async () => {
    expect([...(await writtenTwice(world)), ...(await auditDifferences(world))]).toEqual([])
  })

  it('a copy by the change log equals the forum', () => {
    expect(shown.size).toBeGreaterThan(0)
    expect(differences(pages.copy, shown)).toEqual([])
  })

  it('a copy by the live stream equals the forum', () => {
    expect(differences(stream.copy, shown)).toEqual([])
  })

  it('copies of one kind or tag hold all of it and nothing else', () => {
    expect(filtered.flatMap((follower) => follower.differences(shown))).toEqual([])
  })

  it('a poller of the feed has seen each publication once', async () => {
    expect(await poller.differences(shown)).toEqual([])
  })

  it('counts and links agree with what they are about', async () => {
    expect([...miscounts(shown), ...brokenLinks(shown)]).toEqual([])
    expect(await drift(forum.db)).toEqual([])
  })

  it('everything is shown alike at all its addresses, and what is gone at none', async () => {
    expect(await elsewhereDifferences(world, shown)).toEqual([])
    expect(await leaks(world, shown, pages.copy)).toEqual([])
  })

  it('each list holds what its filter says', async () => {
    expect(await feedDifferences(world, shown)).toEqual([])
  })

  it('the hot order is that of PostgreSQL', async () => {
    expect(await hotDifferences(world)).toEqual([])
  })

  it('a search finds what is public by the words it has now', async () => {
    expect(await searchDifferences(world, shown)).toEqual([])
  })

  it('each agent is told what concerns it', async () => {
    expect(await personalDifferences(world, pages.copy, shown)).toEqual([])
  })
})
