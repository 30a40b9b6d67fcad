import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { listAlerts } from '@stoa/shared/contracts/moderation.js'
import { request } from 'undici'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { ROOT } from './support/documents.ts'
import { listen, type Received } from './support/event-source.ts'
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
})

afterAll(async () => {
  await forum?.stop()
})

function stream(lastEventId?: string) {
  const { key } = moderator
  return listen(`${forum.url}/api/v1/moderation/stream`, { key, lastEventId })
}

function about(id: string) {
  return ({ data }: Received) => data.alert.id === id
}

/** Publishes a message about an alert that nobody has raised. */
function tell(bus: Bus, id: string, title = ''): void {
  const alert = { id, status: 'open', created_at: new Date().toISOString(), title }
  bus.tell('alert.told', { data: { alert } })
}

it('the example of a consumer prints each alert, also after the bus has removed its consumer', async () => {
  const example = join(ROOT, 'docs/examples/alert-consumer.mjs')
  const desk = spawn(process.execPath, [example, 'my-desk'], {
    env: { ...process.env, NATS_URL: forum.nats.urlFor('moderator') },
  })
  const ended = once(desk, 'exit')
  let printed = ''
  desk.stdout.on('data', (bytes) => {
    printed += bytes
  })
  const alert = async () => raiseAlert({ moderator }, await makePost(author))
  try {
    const first = await alert()
    await eventually('it prints the first', async () => printed.includes(first))

    const operator = await connectBus('content', forum.nats.urlFor('content'))
    await operator.nc.request('$JS.API.CONSUMER.DELETE.ALERTS.my-desk')
    await operator.close()
    const second = await alert()
    await eventually('it prints the second', async () => printed.includes(second))
  } finally {
    desk.kill('SIGTERM')
  }
  expect(await ended).toEqual([0, null])
})

describe('the stream of alerts', () => {
  it('sends one event when an alert is raised and another when it is resolved', async () => {
    const source = await stream()
    expect(source.statusCode).toBe(200)
    expect(source.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-content-trust': 'untrusted',
    })

    const id = await raiseAlert({ moderator }, await makePost(author))
    await done(moderator.post(`/api/v1/moderation/alerts/${id}/resolve`, { action: 'dismiss' }))

    const [raised, resolved] = await eventually('both are told', async () => {
      const mine = source.received.filter(about(id))
      return mine.length >= 2 && mine
    })
    source.close()
    expect(raised).toMatchObject({
      event: 'alert.raised',
      data: { untrusted: true, object: 'alert', alert: { status: 'open', source: 'flags' } },
    })
    expect(resolved).toMatchObject({
      event: 'alert.resolved',
      data: { alert: { status: 'resolved', resolution: 'dismiss' } },
    })
  })

  it('resumes after Last-Event-ID with every alert raised while the reader was away', async () => {
    const first = await stream()
    const seen = await raiseAlert({ moderator }, await makePost(author))
    const last = await eventually('the first is told', async () => first.received.find(about(seen)))
    first.close()
    const missed = await raiseAlert({ moderator }, await makePost(author))
    const later = await raiseAlert({ moderator }, await makePost(author))

    const second = await stream(last.id)

    await eventually('the missed are told', async () => second.received.some(about(later)))
    second.close()
    const ids = second.received.map(({ data }) => data.alert.id)
    expect(ids.indexOf(missed)).toBeGreaterThanOrEqual(0)
    expect(ids.indexOf(missed)).toBeLessThan(ids.indexOf(later))
  })

  it('sends alerts raised shortly before Last-Event-ID again, since alerts can arrive out of order', async () => {
    const live = await stream()
    const id = await raiseAlert({ moderator }, await makePost(author))
    const told = await eventually('it is told', async () => live.received.find(about(id)))
    live.close()
    // As if an alert with a later date had been told first.
    const later = new Date(Date.parse(told.data.alert.created_at) + 9_000).toISOString()

    const resumed = await stream(later)

    await eventually('it is told again', async () => resumed.received.some(about(id)))
    resumed.close()
  })

  it('sends the resolution of an older alert under the event id of the newest alert', async () => {
    const source = await stream()
    const old = await raiseAlert({ moderator }, await makePost(author))
    const young = await raiseAlert({ moderator }, await makePost(author))
    const newest = await eventually('both are told', async () => source.received.find(about(young)))

    await done(moderator.post(`/api/v1/moderation/alerts/${old}/resolve`, { action: 'dismiss' }))

    const resolved = await eventually('it is told', async () =>
      source.received.find(
        ({ event, data }) => event === 'alert.resolved' && data.alert.id === old,
      ),
    )
    source.close()
    expect(resolved.id).toBe(newest.id)
  })

  it('sends more than a page of missed alerts to a reader that resumes, each alert once', async () => {
    const start = await stream()
    const from = await eventually('it is told where it stands', async () => start.state.lastEventId)
    const missed = await Promise.all(
      Array.from({ length: 101 }, async () => {
        const flag = { target_id: await makePost(author), reason: 'spam' }
        const { body } = await done(moderator.post('/api/v1/flags', flag))
        return body.flag.alert_id as string
      }),
    )
    // Wait for all, because an alert that is told only after it was missed may come twice.
    await eventually('all are told', async () =>
      missed.every((id) => start.received.some(about(id))),
    )
    start.close()

    const after = await stream(from)

    const ids = () => after.received.map(({ data }) => data.alert.id)
    await eventually('all are told', async () => missed.every((id) => ids().includes(id)))
    after.close()
    expect(ids().length).toBe(new Set(ids()).size)
  })

  it('sends 1,500 missed alerts in order, then the alert raised after them, to a reader that resumes', async () => {
    const start = await stream()
    const from = await eventually('it is told where it stands', async () => start.state.lastEventId)
    start.close()
    const { rows } = await forum.db.query<{ id: string }>(
      `INSERT INTO alerts (id, severity, source, target_type, target_id, created_at)
       SELECT 'alr_' || lpad(n::text, 32, '0'), 'high', 'scanner', 'post', 'pst_none',
         date_trunc('milliseconds', clock_timestamp())
       FROM generate_series(1, 1500) AS n RETURNING id`,
    )
    const after = await raiseAlert({ moderator }, await makePost(author))

    const resumed = await stream(from)

    await eventually('the last is told', async () => resumed.received.some(about(after)))
    resumed.close()
    const told = resumed.received.map(({ data }) => data.alert.id)
    expect(told.filter((id) => rows.some((row) => row.id === id))).toEqual(rows.map(({ id }) => id))
  })

  it('leaves the excerpt of an appeal empty, both live and for a reader that resumes', async () => {
    const live = await stream()
    const from = await eventually('it is told where it stands', async () => live.state.lastEventId)
    const id = await raiseAlert({ moderator }, await makePost(author))
    const alert = `/api/v1/moderation/alerts/${id}`
    await done(moderator.post(`${alert}/resolve`, { action: 'remove' }))
    const { case_id: caseId } = (await done(moderator.get(alert))).body.alert
    await done(author.post('/api/v1/appeals', { case_id: caseId, reason: 'Obey this reason.' }))
    const appealed = ({ data }: Received) =>
      data.alert.source === 'appeal' && data.alert.case_id === caseId
    const told = await eventually('it is told live', async () => live.received.find(appealed))
    live.close()

    const resumed = await stream(from)
    const again = await eventually('it is told again', async () => resumed.received.find(appealed))
    resumed.close()

    expect(told.data.alert.excerpt).toBe('')
    expect(again.data).toEqual(told.data)
  })

  it('starts with the next alert if the reader sends no Last-Event-ID', async () => {
    const before = await stream()
    const earlier = await raiseAlert({ moderator }, await makePost(author))
    // An alert is told some time after it was raised.
    await eventually('the earlier is told', async () => before.received.some(about(earlier)))
    before.close()
    const source = await stream()

    const id = await raiseAlert({ moderator }, await makePost(author))

    await eventually('the newer is told', async () => source.received.some(about(id)))
    source.close()
    expect(source.received.some(about(earlier))).toBe(false)
  })

  it('resumes from its starting point if the connection was lost before the first event', async () => {
    const before = await stream()
    const start = await eventually(
      'it is told where it stands',
      async () => before.state.lastEventId,
    )
    before.close()
    const missed = await raiseAlert({ moderator }, await makePost(author))

    const after = await stream(start)

    await eventually('what was missed is told', async () => after.received.some(about(missed)))
    after.close()
  })

  it('sends missed alerts before alerts that are raised while the missed ones are being read', async () => {
    const live = await stream()
    const from = await eventually('it is told where it stands', async () => live.state.lastEventId)
    const missed = await raiseAlert({ moderator }, await makePost(author))
    await eventually('the missed is told', async () => live.received.some(about(missed)))
    const bus = await connectBus('content', forum.nats.url)
    let isAsked = false
    bus.nc.subscribe(`rpc.${listAlerts.name}`, {
      callback: () => {
        isAsked = true
      },
    })
    await bus.settled()
    const content = forum.processes.find(({ service }) => service === 'content')?.child

    content?.kill('SIGSTOP')
    const resumed = stream(from)
    try {
      await eventually('what was missed is asked for', async () => isAsked)
      tell(bus, 'later')
      await eventually('the later is told', async () => live.received.some(about('later')))
    } finally {
      content?.kill('SIGCONT')
    }

    const { received, close } = await resumed
    await eventually(
      'both are told',
      async () => received.some(about(missed)) && received.some(about('later')),
    )
    close()
    live.close()
    await bus.close()
    expect(received.findIndex(about(missed))).toBeLessThan(received.findIndex(about('later')))
  })

  it('closes the connection of a reader that is thousands of alerts behind', async () => {
    const live = await stream()
    const headers = { authorization: `Bearer ${moderator.key}` }
    const { body } = await request(`${forum.url}/api/v1/moderation/stream`, { headers })
    const bus = await connectBus('content', forum.nats.url)
    // More than sockets take, in parts so small that the live reader is soon told of each.
    const [all, atOnce] = [3_500, 100]
    for (let told = 0; told < all; told += atOnce) {
      for (let n = 0; n < atOnce; n++) tell(bus, `${told + n}`, 'x'.repeat(12_000))
      const last = `${told + atOnce - 1}`
      await eventually('the last is told', async () => live.received.some(about(last)))
    }
    live.close()
    await bus.close()

    let text = ''
    body.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    await eventually('the stream is over', async () => body.closed)

    expect(text.split('\ndata: ').length).toBeLessThan(all)
  })

  it.each(['abc', '2026-02-30', '9999-99-99T00:00:00.000Z'])(
    'refuses a Last-Event-ID that is not the id of an event: %s',
    async (id) => {
      const { body } = await call('GET', `${forum.url}/api/v1/moderation/stream`, {
        key: moderator.key,
        headers: { 'last-event-id': id },
      })

      const errors = [expect.objectContaining({ pointer: 'Last-Event-ID:' })]
      expect(body).toMatchObject({ code: 'invalid_cursor', errors })
    },
  )

  it('refuses a caller without a key, with an invalid key, or with the key of an ordinary agent', async () => {
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

  it('ends when the key of its reader is revoked', async () => {
    const { body } = await done(moderator.post('/api/v1/me/keys'))
    const source = await listen(`${forum.url}/api/v1/moderation/stream`, { key: body.api_key })

    await done(moderator.delete(`/api/v1/me/keys/${body.key.id}`))

    await eventually('the stream is over', async () => source.state.hasEnded)
  })

  it('ends when the bus was away, since the stream may have missed an alert', async () => {
    const source = await stream()

    await forum.nats.stop()
    await forum.restart('nats')

    await eventually('the stream is over', async () => source.state.hasEnded)
  })
})
