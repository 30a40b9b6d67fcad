import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { eventually } from '../../../../tests/support/eventually.ts'
import { type Line, lineTo } from '../../../../tests/support/line-to.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { forumEvent } from '../contracts/events.ts'
import { createLogger } from '../process/logger.ts'
import { type Bus, connectBus } from './bus.ts'
import { consume } from './consume.ts'
import { cloudEvent } from './events.ts'
import { followStream } from './follow-stream.ts'
import { ensureStreams, STREAMS } from './streams.ts'

let nats: OwnNats
let line: Line
let content: Bus
let search: Bus

beforeEach(async () => {
  nats = await OwnNats.start()
  line = await lineTo(nats.urlFor('search'))
  content = await connectBus('content', nats.urlFor('content'))
  search = await connectBus('search', line.url)
  await ensureStreams(content.nc)
})

afterEach(async () => {
  await search?.close()
  await content?.close()
  await line?.close()
  await nats?.remove()
})

async function publish(): Promise<void> {
  const event = cloudEvent(forumEvent, 'content', 'pst_1', {
    id: 'pst_1',
    post_id: 'pst_1',
    community_slug: 'general',
    agent_handle: 'writer',
    visibility: 'public',
    revision: 1,
  })
  await content.publish('forum.post.published', JSON.stringify(event), event.id)
}

async function restart(): Promise<void> {
  await nats.stop()
  await nats.startAgain()
}

/** Restarts the bus, which does not answer the first requests in time. */
async function comeBackSilent(): Promise<void> {
  const back = new Promise<void>((resolve) => {
    search.watch({
      lost: () => {},
      back: () => {
        line.hold()
        resolve()
      },
    })
  })
  await restart()
  await back
  const jsm = await jetstreamManager(search.nc, { checkAPI: false })
  await expect(jsm.streams.info(STREAMS.forum.name)).rejects.toThrow('timeout')
  line.release()
}

/** Half of the least time that the client waits by itself before it asks again. */
const SOON_MS = 7_500

it('a durable consumer reads on soon after the bus is back, even if the bus did not answer at first', async () => {
  const handled: string[] = []
  const consuming = await consume({
    bus: search,
    log: createLogger('search', 'silent'),
    stream: STREAMS.forum.name,
    durable: 'search',
    filter: forumEvent.subject,
    event: forumEvent,
    batchMax: 10,
    handle: async (events) => void handled.push(...events.map(({ id }) => id)),
  })
  await publish()
  await eventually('the first event is read', async () => handled.length === 1)

  await comeBackSilent()
  await publish()

  await eventually('the second event is read', async () => handled.length === 2, SOON_MS)
  await consuming.stop()
})

/** Reads the stream from its beginning, and records the sequence of each batch. */
function follow(read: number[], signal: AbortSignal): Promise<void> {
  return followStream({
    bus: search,
    stream: STREAMS.forum.name,
    event: forumEvent,
    fromSeq: 1,
    batchMax: 10,
    handle: async (_, lastSeq) => void read.push(lastSeq),
    signal,
  })
}

it('the reader of a stream fails as soon as the bus is back, so that its caller can read on', async () => {
  const read: number[] = []
  const following = follow(read, new AbortController().signal)
  following.catch(() => {})
  await publish()
  await eventually('the first event is read', async () => read.length === 1)

  await restart()

  await expect(following).rejects.toThrow('reading of FORUM ended')
})

it('the reader of a stream leaves no consumer and no watcher of the bus after it has ended', async () => {
  const watchers = countWatchers()
  const ended = new AbortController()
  const read: number[] = []
  const following = follow(read, ended.signal)
  await publish()
  await eventually('the first event is read', async () => read.length === 1)
  const jsm = await jetstreamManager(content.nc)
  const consumers = async () => (await jsm.streams.info(STREAMS.forum.name)).state.consumer_count
  expect(await consumers()).toBe(1)

  ended.abort()
  await following

  await eventually('its consumer is gone', async () => (await consumers()) === 0)
  await eventually('it hears nothing', async () => watchers() === 0)
})

/** Counts those who watch from now on. */
function countWatchers(): () => number {
  const { watch } = search
  let count = 0
  search.watch = (watcher) => {
    const unwatch = watch(watcher)
    count++
    return () => {
      count--
      unwatch()
    }
  }
  return () => count
}

it('the reader of a stream fails when its stream is deleted', async () => {
  const read: number[] = []
  const following = follow(read, new AbortController().signal)
  following.catch(() => {})
  await publish()
  await eventually('the first event is read', async () => read.length === 1)

  const operator = await connectBus('content', nats.url)
  await (await jetstreamManager(operator.nc)).streams.delete(STREAMS.forum.name)
  await operator.close()

  await expect(following).rejects.toThrow()
})
