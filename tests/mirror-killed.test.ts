import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { freePort } from '../deploy/local/processes/free-port.mjs'
import { type Forum, startForum } from './support/forum.ts'
import { describeWithMeili } from './support/meilisearch.ts'
import { act } from './support/mirror/acts.ts'
import { COMPARISONS, type Seen } from './support/mirror/comparisons.ts'
import { judgeAnswers } from './support/mirror/described.ts'
import { FeedPoller } from './support/mirror/feed-poller.ts'
import { followFiltered } from './support/mirror/filtered-follower.ts'
import { killsOf, mishapsOf, type OwnServers, startOwnServers } from './support/mirror/kills.ts'
import { PageFollower, StreamFollower } from './support/mirror/log-copy.ts'
import { Random } from './support/mirror/random.ts'
import { settled } from './support/mirror/settled.ts'
import { readForum } from './support/mirror/shown.ts'
import { newWorld } from './support/mirror/world.ts'
import { newWriters, type Writer } from './support/mirror/writers.ts'

const SEED = Number(process.env.MIRROR_SEED ?? 17)
/** How many acts are done each time that something is away, which is sixteen times. */
const ACTS = Number(process.env.MIRROR_ACTS ?? 240) / 16
/** How often two things are killed at once. */
const PAIRS = 4
/** A message that was on its way to a killed process is sent again after half a minute. */
const SETTLED_WITHIN_MS = 90_000

const random = new Random(SEED + 1)
let dir: string
let servers: OwnServers
let writers: Writer[]
let forum: Forum
let seen: Seen

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'stoa-killed-'))
  const meiliKey = randomUUID()
  servers = await startOwnServers(dir, meiliKey)
  process.env.TEST_DATABASE_URL = servers.postgres.url
  const meili = { MEILI_URL: servers.meilisearch.url, MEILI_KEY: meiliKey }
  forum = await startForum({ gateway: 0, content: 2 }, meili)
  // Each gateway is started again on its port, so no other program may get that port in between.
  for (let n = 0; n < 2; n++) {
    forum.urls.push(await forum.startGateway({ PORT: `${await freePort()}` }))
  }
  const { url } = forum
  const world = { ...(await newWorld(forum)), random: new Random(SEED), patienceMs: 60_000 }
  seen = {
    world,
    shown: new Map(),
    pages: new PageFollower(url),
    stream: await StreamFollower.of(url),
    poller: new FeedPoller(url),
    faults: await judgeAnswers(url),
    filtered: await followFiltered(world, url, url),
  }
  writers = await newWriters(seen.world, random)
})

afterAll(async () => {
  seen?.stream.close()
  for (const follower of seen?.filtered ?? []) follower.close()
  await forum?.stop()
  await Promise.all(Object.values(servers ?? {}).map((server) => server.stop()))
  rmSync(dir, { recursive: true, force: true })
})

describeWithMeili('after random acts while everything is killed in turn', () => {
  beforeAll(async () => {
    const { world, pages, stream, poller, filtered } = seen
    const followers = [pages, stream, poller, ...filtered]
    const kills = Object.values(killsOf(world.forum, servers))
    const alone = [...kills, ...Object.values(mishapsOf(world.forum))].map((kill) => [kill])
    for (const several of [...alone, ...somePairs(kills)]) {
      let killing: Promise<unknown> | undefined
      await act(world, ACTS, () => {
        killing ??= Promise.all(several.map((kill) => kill()))
        return Promise.all([
          ...followers.map((follower) => follower.advance().catch(() => {})),
          ...writers.map((writer) => writer.act(writers)),
        ])
      })
      await killing
    }
    const end = await settled(world, SETTLED_WITHIN_MS)
    await Promise.all([pages, stream].map((follower) => follower.reach(end)))
    seen.shown = await readForum(world)
  }, 600_000)

  it('each write has the outcome that its writer was told', async () => {
    const forgotten = await Promise.all(writers.map((writer) => writer.forgotten()))
    expect(forgotten.flat()).toEqual([])
  })

  it.each(COMPARISONS)('%s', async (_, compare) => {
    expect(await compare(seen)).toEqual([])
  })
})

function somePairs<T>(from: T[]): T[][] {
  return Array.from({ length: PAIRS }, () => {
    const one = random.pick(from)
    return [one, random.pick(from.filter((other) => other !== one))]
  })
}
