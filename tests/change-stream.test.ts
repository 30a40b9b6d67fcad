import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { answer, reply, serve } from '@stoa/shared/bus/serve.js'
import { CHANGES_APPENDED } from '@stoa/shared/contracts/events.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { request } from 'undici'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { type EventSource, listen } from './support/event-source.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makeComment, makePost } from './support/prepared-forum.ts'

/** Posts that together are far more than a socket takes at once. */
const LONG_POSTS = 24
const LONG_BODY = 'The build failed one time in nine until the cache was warmed. '.repeat(400)

/** How many whole changes are read at a time, and how often a stream looks for more by itself. */
const PAGE_MAX = 10
const POLL_MS = 2_000

/** The pointer names the header, because a reader may have sent `after` too. */
const NO_EVENT = {
  pointer: 'Last-Event-ID:',
  code: 'invalid_format',
  message: 'is not the id of an event of this stream',
}

let forum: Forum
let author: TestAgent

beforeAll(async () => {
  forum = await startForum()
  author = await registerAgent(forum.url)
})

afterAll(async () => {
  await forum?.stop()
})

function stream(lastEventId?: string) {
  const query = 'fields=full&types=post.published'
  return listen(`${forum.url}/api/v1/stream?${query}`, { lastEventId })
}

async function presentEnd(): Promise<string> {
  const { body } = await call('GET', `${forum.url}/api/v1/changes?after=now`)
  return body.next_cursor
}

describe('the stream of changes', () => {
  it('sends far more missed events than a socket takes at once, then continues live', async () => {
    const start = await presentEnd()
    const missed: string[] = []
    for (let n = 0; n < LONG_POSTS; n++) missed.push(await makePost(author, { body_md: LONG_BODY }))

    const source = await stream(start)
    await eventually('all that was missed is told', async () => {
      return source.received.length >= LONG_POSTS || source.state.hasEnded
    })
    const next = await makePost(author)
    await eventually('the next is told', async () => source.received.length > LONG_POSTS)

    source.close()
    expect(source.received.map(({ data }) => data.target_id)).toEqual([...missed, next])
  })

  it('sends ten pages of missed events without waiting between pages', async () => {
    const start = await presentEnd()
    await Promise.all(Array.from({ length: 10 * PAGE_MAX }, () => makePost(author)))

    const source = await stream(start)
    // If it read one page each time that it looks by itself, this would take twice as long.
    await eventually(
      'all that was missed is told',
      async () => source.received.length === 10 * PAGE_MAX,
      5 * POLL_MS,
    )

    source.close()
  })

  it('asks content for new events less than once a second while nothing happens', async () => {
    const bus = await connectBus('content', forum.nats.urlFor('content'))
    const askedAt: number[] = []
    // Streams of other tests may not have ended yet.
    const source = await listen(`${forum.url}/api/v1/stream?types=post.removed`)
    bus.nc.subscribe(`rpc.${listChanges.name}`, {
      callback: (_, message) => {
        const { types } = message.json<{ types?: string[] }>()
        if (types?.join() === 'post.removed') askedAt.push(performance.now())
      },
    })

    await eventually('it has asked some times', async () => askedAt.length >= 3)

    source.close()
    await bus.close()
    const [first = 0, , third = 0] = askedAt
    expect(third - first).toBeGreaterThan(POLL_MS)
  })

  it('sends each of several readers at the same position only the event types that reader asked for', async () => {
    const start = await presentEnd()
    const open = (type: string) =>
      listen(`${forum.url}/api/v1/stream?types=${type}`, { lastEventId: start })
    const [posts, comments] = [await open('post.published'), await open('comment.published')]
    const types = ({ received }: EventSource) => received.map(({ event }) => event)

    await makeComment(author, await makePost(author))

    await eventually('each is told', async () => types(posts)[0] && types(comments)[0])
    posts.close()
    comments.close()
    expect([types(posts), types(comments)]).toEqual([['post.published'], ['comment.published']])
  })

  it('warns about an unknown query parameter, and about nothing if all are known', async () => {
    const [asked, mistaken] = await Promise.all(
      ['types', 'type'].map((name) =>
        listen(`${forum.url}/api/v1/stream?${name}=community.published&after=now`),
      ),
    )
    await eventually('each stands at the present end', async () =>
      [asked, mistaken].every((source) => source?.state.lastEventId),
    )

    asked?.close()
    mistaken?.close()
    expect(asked?.comments).toEqual([])
    expect(mistaken?.comments.map((comment) => JSON.parse(comment))).toEqual([
      { warnings: [{ code: 'unknown_parameter', name: 'type', did_you_mean: 'types' }] },
    ])
  })

  it('reads whole changes ten at a time, whatever limit the reader asks for', async () => {
    const start = await presentEnd()
    const missed: string[] = []
    for (let n = 0; n < 12; n++) missed.push(await makePost(author))
    const bus = await connectBus('content', forum.nats.urlFor('content'))
    const limits: number[] = []
    bus.nc.subscribe(`rpc.${listChanges.name}`, {
      callback: (_, message) => {
        limits.push(message.json<{ limit: number }>().limit)
      },
    })
    await bus.settled()

    const source = await listen(`${forum.url}/api/v1/stream?fields=full&limit=500`, {
      lastEventId: start,
    })
    await eventually('all that was missed is told', async () =>
      source.received.some(({ data }) => data.target_id === missed.at(-1)),
    )

    source.close()
    await bus.settled()
    await bus.close()
    expect(new Set(limits)).toEqual(new Set([PAGE_MAX]))
  })

  it('resumes after the last event that was read', async () => {
    const start = await presentEnd()
    const first = await makePost(author)
    const second = await makePost(author)
    const before = await stream(start)
    const last = await eventually('the first is told', async () =>
      before.received.find(({ data }) => data.target_id === first),
    )
    before.close()

    const after = await stream(last.id)

    await eventually('the second is told', async () => after.received.length > 0)
    after.close()
    expect(after.received[0]?.data.target_id).toBe(second)
  })

  it('asks proxies neither to keep nor to gather its events', async () => {
    const source = await stream()

    source.close()
    expect(source.headers).toMatchObject({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  })

  it('sends no event id before the event that it belongs to', async () => {
    const start = await presentEnd()
    await makePost(author)
    const { body } = await request(`${forum.url}/api/v1/stream?types=post.published`, {
      headers: { 'last-event-id': start },
    })
    let text = ''
    body
      .on('error', () => {})
      .on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })

    await eventually('an event has come', async () => text.includes('data: '))

    body.destroy()
    expect(text).toMatch(/^retry: 2000\n\nid: \S+\nevent: post\.published\n/)
  })

  it('resumes from its starting point if the connection was lost before the first event', async () => {
    const before = await stream()
    const start = await eventually(
      'it is told where it stands',
      async () => before.state.lastEventId,
    )
    before.close()
    const missed = await makePost(author)

    const after = await stream(start)

    await eventually('what was missed is told', async () => after.received.length > 0)
    after.close()
    expect(after.received[0]?.data.target_id).toBe(missed)
  })

  it.each(['no cursor!', 'x'.repeat(65)])(
    'refuses a Last-Event-ID that is not the id of an event: %s',
    async (id) => {
      const { body } = await call('GET', `${forum.url}/api/v1/stream`, {
        headers: { 'last-event-id': id },
      })

      expect(body).toMatchObject({ code: 'invalid_cursor', errors: [NO_EVENT] })
    },
  )

  it.each(['changes', 'stream'])(
    'explains at /%s how to start if the cursor is invalid',
    async (list) => {
      const refusalOf = async (after: string) => {
        const { body } = await call('GET', `${forum.url}/api/v1/${list}?after=${after}`)
        return { code: body.code, fix: body.fix }
      }
      const other = (await presentEnd()).replace(/^\w+/, 'zz')
      const ahead = (await presentEnd()).replace(/\d+$/, '999999999')
      const start = { code: 'invalid_cursor', fix: expect.stringContaining('after=now') }

      for (const after of ['nonsense', '1764183600', other, ahead]) {
        expect(await refusalOf(after)).toEqual(start)
      }
      for (const after of ['2026-01-31', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00+01:00']) {
        const refused = await refusalOf(after)
        expect(refused).toEqual(start)
        expect(refused.fix).toContain('/api/v1/feed?since=')
      }
    },
  )

  it.each([
    ['what is none', 'no cursor!', 'after=now'],
    ['a time', '2026-01-31T12:00:00.000Z', '/api/v1/feed?since='],
  ])(
    'explains how to start if a reader resumes after %s instead of an event id',
    async (_, id, fix) => {
      const { body } = await call('GET', `${forum.url}/api/v1/stream`, {
        headers: { 'last-event-id': id },
      })

      expect(body).toMatchObject({ code: 'invalid_cursor', errors: [NO_EVENT] })
      expect(body.fix).toContain(fix)
    },
  )

  it('refuses a cursor of another log, and names Last-Event-ID only if the cursor was sent there', async () => {
    const cursor = (await presentEnd()).replace(/^\w+/, 'zz')

    const { body } = await call('GET', `${forum.url}/api/v1/stream?after=now`, {
      headers: { 'last-event-id': cursor },
    })
    const after = await call('GET', `${forum.url}/api/v1/stream?after=${cursor}`)

    expect(body).toMatchObject({ code: 'invalid_cursor', errors: [NO_EVENT] })
    expect(after.body.code).toBe('invalid_cursor')
    expect(after.body.fix).toContain('Drop what you have kept')
    expect(after.body).not.toHaveProperty('errors')
  })

  it('continues from its position when content is back, and sends no event twice', async () => {
    const source = await stream(await presentEnd())
    const [first, second] = [await makePost(author), await makePost(author)]
    await eventually('both are told', async () => source.received.length === 2)
    const bus = await connectBus('content', forum.nats.urlFor('content'))
    let asked = 0
    const refusing = answer(listChanges, () => {
      asked++
      return Promise.reject(new AppError('unavailable'))
    })
    await forum.kill('content')
    const served = await serve(bus, {}, [refusing], createLogger('content', 'silent'))
    await eventually('the stream has asked in vain, and asks again', async () => asked > 1)
    await served.stop()
    await bus.close()

    await forum.start('content')
    const third = await makePost(author)

    await eventually('the third is told', async () =>
      source.received.some(({ data }) => data.target_id === third),
    )
    source.close()
    const told = source.received.map(({ data }) => data.target_id)
    expect(told).toEqual([first, second, third])
  })

  it('starts a new read after a change was announced, instead of sharing an older pending read', async () => {
    const start = await presentEnd()
    const page = { count: 0, items: [], next_cursor: start, has_more: false }
    // A request that is sent again because it had no answer has the same id.
    const askers = new Set<string>()
    let wakeUps = 0
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const answering = answer(listChanges, async (_, { types }, { requestId }) => {
      if (types?.[0] === 'post.removed') wakeUps++
      if (types?.[0] === 'post.published') {
        askers.add(requestId)
        await held
      }
      return reply({ object: 'changes' as const, ...page })
    })
    await forum.kill('content')
    const bus = await connectBus('content', forum.nats.urlFor('content'))
    const served = await serve(bus, {}, [answering], createLogger('content', 'silent'))
    const witness = await listen(`${forum.url}/api/v1/stream?types=post.removed&after=${start}`)
    const opened = [stream(start)]
    await eventually('it was asked', async () => askers.size === 1)
    const before = wakeUps

    bus.tell(CHANGES_APPENDED, { seq: 1 })
    await eventually('a stream was woken', async () => wakeUps > before)
    opened.push(stream(start))

    try {
      await eventually('it is asked for the later one', async () => askers.size === 2)
    } finally {
      release()
      for (const source of [witness, ...(await Promise.all(opened))]) source.close()
      await served.stop()
      await bus.close()
      await forum.start('content')
    }
  })

  it('ends when the epoch of the log changes', async () => {
    const source = await stream()

    await forum.db.query('UPDATE publication SET epoch = epoch + 1')

    await eventually('the stream is over', async () => source.state.hasEnded)
  })
})
