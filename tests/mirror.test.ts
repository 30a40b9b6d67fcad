import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type EventSource, listen } from './support/event-source.ts'
import { type Forum, startForum } from './support/forum.ts'
import { act } from './support/mirror/acts.ts'
import { alertsThatDiffer } from './support/mirror/alert-copy.ts'
import { COMPARISONS, type Seen } from './support/mirror/comparisons.ts'
import { judgeAnswers } from './support/mirror/described.ts'
import { FeedPoller } from './support/mirror/feed-poller.ts'
import { followFiltered } from './support/mirror/filtered-follower.ts'
import { PageFollower, StreamFollower } from './support/mirror/log-copy.ts'
import { Random } from './support/mirror/random.ts'
import { settled } from './support/mirror/settled.ts'
import { readForum } from './support/mirror/shown.ts'
import { WebhookReceiver } from './support/mirror/webhook-receiver.ts'
import { newWorld } from './support/mirror/world.ts'

/**
 * `MIRROR_SEED` adds another seed. Requests in flight together are done in another order each time.
 */
const SEEDS = new Set([17, Number(process.env.MIRROR_SEED ?? 17)])
const ACTS = Number(process.env.MIRROR_ACTS ?? 150)
/** Longer for each act than any machine has taken. */
const ACTED_WITHIN_MS = 120_000 + ACTS * 1_000
const COMPARED_WITHIN_MS = 30_000 + ACTS * 100

let forum: Forum
let seen: Seen
let alerts: EventSource
let webhooks: WebhookReceiver

beforeAll(async () => {
  webhooks = await WebhookReceiver.start()
  forum = await startForum({ gateway: 2, content: 2 }, webhooks.settings)
  const { url, urls } = forum
  const world = await newWorld(forum)
  seen = {
    world,
    shown: new Map(),
    pages: new PageFollower(url),
    stream: await StreamFollower.of(urls[1] as string),
    poller: new FeedPoller(url),
    faults: await judgeAnswers(url),
    filtered: await followFiltered(world, url, urls[1] as string),
  }
  const key = seen.world.moderators[0]?.key as string
  alerts = await listen(`${urls[1]}/api/v1/moderation/stream`, { key })
})

afterAll(async () => {
  alerts?.close()
  webhooks?.stop()
  seen?.stream.close()
  for (const follower of seen?.filtered ?? []) follower.close()
  await forum?.stop()
})

describe.each([...SEEDS])('after random acts (seed %i)', (seed) => {
  beforeAll(async () => {
    const { world, pages, stream, poller, filtered } = seen
    world.random = new Random(seed)
    await act(world, ACTS, () =>
      Promise.all([pages, poller, ...filtered].map((follower) => follower.advance())),
    )
    const end = await settled(world)
    await Promise.all([pages, stream].map((follower) => follower.reach(end)))
    seen.shown = await readForum(world)
  }, ACTED_WITHIN_MS)

  it('no act has failed', () => {
    expect(seen.world.failures).toEqual([])
  })

  it('the stream of alerts has sent the present state of each alert', async () => {
    const told = () => alerts.received.map(({ data }) => data)
    expect(await alertsThatDiffer(seen.world, told)).toEqual([])
  })

  it('webhooks have sent the present state of each alert', async () => {
    expect(await alertsThatDiffer(seen.world, () => webhooks.received)).toEqual([])
    expect(webhooks.wrongs).toEqual([])
  })

  it.each(COMPARISONS)(
    '%s',
    async (_, compare) => {
      expect(await compare(seen)).toEqual([])
    },
    COMPARED_WITHIN_MS,
  )
})
