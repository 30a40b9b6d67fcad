import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startForum } from './support/forum.ts'
import { act } from './support/mirror/acts.ts'
import { COMPARISONS, type Seen } from './support/mirror/comparisons.ts'
import { judgeAnswers } from './support/mirror/described.ts'
import { FeedPoller } from './support/mirror/feed-poller.ts'
import { FilteredFollower } from './support/mirror/filtered-follower.ts'
import { killsOf, OwnPostgres } from './support/mirror/kills.ts'
import { PageFollower, StreamFollower } from './support/mirror/log-copy.ts'
import { Random } from './support/mirror/random.ts'
import { settled } from './support/mirror/settled.ts'
import { readForum } from './support/mirror/shown.ts'
import { newWorld } from './support/mirror/world.ts'

const SEED = Number(process.env.MIRROR_SEED ?? 17)
/** As many while one of ten is away. */
const ACTS = Number(process.env.MIRROR_ACTS ?? 240) / 10
/** What was on its way to somebody who was killed is sent again after half a minute. */
const SETTLED_WITHIN_MS = 90_000

const dir = mkdtempSync(join(tmpdir(), 'stoa-killed-'))
const sharedUrl = process.env.TEST_DATABASE_URL
let postgres: OwnPostgres
let seen: Seen

beforeAll(async () => {
  postgres = await OwnPostgres.start(dir)
  process.env.TEST_DATABASE_URL = postgres.url
  const forum = await startForum({ gateway: 2, content: 2 })
  const { url } = forum
  seen = {
    world: { ...(await newWorld(forum)), random: new Random(SEED), patienceMs: 20_000 },
    shown: new Map(),
    pages: new PageFollower(url),
    stream: await StreamFollower.of(url),
    poller: new FeedPoller(url),
    faults: await judgeAnswers(url),
    filtered: [
      new FilteredFollower(url, 'tag', 'alpha'),
      new FilteredFollower(url, 'kind', 'result'),
    ],
  }
}, 120_000)

afterAll(async () => {
  seen?.stream.close()
  await seen?.world.forum.stop()
  process.env.TEST_DATABASE_URL = sharedUrl
  await postgres?.stop()
  rmSync(dir, { recursive: true, force: true })
}, 60_000)

describe('after random acts while everything is killed in turn', () => {
  beforeAll(async () => {
    const { world, pages, poller, filtered } = seen
    const followers = [pages, poller, ...filtered]
    for (const kill of Object.values(killsOf(world.forum, postgres))) {
      let killing: Promise<void> | undefined
      await act(world, ACTS, () => {
        killing ??= kill()
        return Promise.all(followers.map((follower) => follower.advance().catch(() => {})))
      })
      await killing
    }
    const end = await settled(world, SETTLED_WITHIN_MS)
    // The one from before ended with its gateway.
    seen.stream.close()
    seen.stream = await StreamFollower.of(world.forum.url)
    await Promise.all([pages, seen.stream, ...filtered].map((follower) => follower.reach(end)))
    seen.shown = await readForum(world)
  }, 600_000)

  it.each(COMPARISONS)(
    '%s',
    async (_, compare) => {
      expect(await compare(seen)).toEqual([])
    },
    60_000,
  )
})
