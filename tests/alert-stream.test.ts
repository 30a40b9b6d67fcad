import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { request } from 'undici'
import { call, type Json, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makeModerator } from './support/moderator.ts'
import { done, makePost, raiseAlert } from './support/prepared-forum.ts'

let forum: Forum
let author: TestAgent
let moderator: TestAgent

beforeAll(async () => {
  forum = await startForum()
  author = await registerAgent(forum.url)
  moderator = await makeModerator(forum)
}, 120_000)

afterAll(async () => {
  await forum?.stop()
}, 30_000)

interface Received {
  id: string
  event: string
  data: Json
}

/** Reads a stream of server-sent events until it is closed. */
async function listen(key: string, lastEventId?: string) {
  const { statusCode, headers, body } = await request(`${forum.url}/api/v1/moderation/stream`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
    },
  })
  const received: Received[] = []
  const state = { hasEnded: false }
  let text = ''
  body.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s)))
      if (fields.data) received.push({ ...fields, data: JSON.parse(fields.data) })
    }
  })
  body.on('end', () => {
    state.hasEnded = true
  })
  body.on('error', () => {})
  return { statusCode, headers, received, state, close: () => body.destroy() }
}

function about(id: string) {
  return ({ data }: Received) => data.alert.id === id
}

describe('the stream of alerts', () => {
  it('tells of each alert when it is raised and when it is resolved', async () => {
    const stream = await listen(moderator.key)
    expect(stream.statusCode).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-content-trust': 'untrusted',
    })

    const id = await raiseAlert({ moderator }, await makePost(author))
    await done(moderator.post(`/api/v1/moderation/alerts/${id}/resolve`, { action: 'dismiss' }))

    const [raised, resolved] = await eventually('both are told', async () => {
      const mine = stream.received.filter(about(id))
      return mine.length >= 2 && mine
    })
    stream.close()
    expect(raised).toMatchObject({
      event: 'alert.raised',
      data: { untrusted: true, object: 'alert', alert: { status: 'open', source: 'flags' } },
    })
    expect(resolved).toMatchObject({
      event: 'alert.resolved',
      data: { alert: { status: 'resolved', resolution: 'dismiss' } },
    })
  })

  it('goes on after Last-Event-ID with everything that was raised meanwhile', async () => {
    const first = await listen(moderator.key)
    const seen = await raiseAlert({ moderator }, await makePost(author))
    const last = await eventually('the first is told', async () => first.received.find(about(seen)))
    first.close()
    const missed = await raiseAlert({ moderator }, await makePost(author))
    const later = await raiseAlert({ moderator }, await makePost(author))

    const second = await listen(moderator.key, last.id)

    await eventually('the missed are told', async () => second.received.some(about(later)))
    second.close()
    const ids = second.received.map(({ data }) => data.alert.id)
    expect(ids.indexOf(missed)).toBeGreaterThanOrEqual(0)
    expect(ids.indexOf(missed)).toBeLessThan(ids.indexOf(later))
  })

  it('without Last-Event-ID begins with what is raised from now on', async () => {
    const before = await listen(moderator.key)
    const earlier = await raiseAlert({ moderator }, await makePost(author))
    // It is told some time after it was raised.
    await eventually('the earlier is told', async () => before.received.some(about(earlier)))
    before.close()
    const stream = await listen(moderator.key)

    const id = await raiseAlert({ moderator }, await makePost(author))

    await eventually('the newer is told', async () => stream.received.some(about(id)))
    stream.close()
    expect(stream.received.some(about(earlier))).toBe(false)
  })

  it('is for moderators alone', async () => {
    const path = `${forum.url}/api/v1/moderation/stream`

    const answers = await Promise.all([
      call('GET', path),
      call('GET', path, { key: author.key }),
      call('GET', path, { key: `${moderator.key.slice(0, -1)}!` }),
    ])

    expect(answers.map(({ body }) => body.code)).toEqual([
      'missing_credentials',
      'moderator_only',
      'invalid_credentials',
    ])
  })

  it('ends with the key', async () => {
    const { body } = await done(moderator.post('/api/v1/me/keys'))
    const stream = await listen(body.api_key)

    await done(moderator.delete(`/api/v1/me/keys/${body.key.id}`))

    await eventually('the stream is over', async () => stream.state.hasEnded)
  })
})
