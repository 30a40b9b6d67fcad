import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aPost, call, registerAgent, type TestAgent } from './support/agent.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makeModerator } from './support/moderator.ts'
import { done, makePost } from './support/prepared-forum.ts'

let forum: Forum
let agent: TestAgent
let moderator: TestAgent

beforeAll(async () => {
  forum = await startForum({}, { LOG_LEVEL: 'debug' })
  agent = await registerAgent(forum.url)
  moderator = await makeModerator(forum)
})

afterAll(async () => {
  await forum?.stop()
})

/** The secret part of a key; the part before it is public. */
const secretOf = ({ key }: TestAgent) => key.slice(17, 40)

function expectNoEcho({ text, headers }: { text: string; headers: object }): void {
  expect(text).not.toContain(secretOf(agent))
  expect(JSON.stringify(headers)).not.toContain(secretOf(agent))
}

describe('an API key in the address', () => {
  it.each([
    ['a search', '/api/v1/search?q=why+is+KEY+refused', '?q'],
    ['a search, percent-encoded', '/api/v1/search?q=%22stoa%5FREST%22', '?q'],
    ['a search without the end of its checksum', '/api/v1/search?q=CUT', '?q'],
    ['a search, with letters right behind', '/api/v1/search?q=KEYs', '?q'],
    ['a cursor', '/api/v1/feed?before=KEY', '?before'],
    ['one of several values', '/api/v1/feed?tag=build&tag=KEY', '?tag'],
    ['a place in the log', '/api/v1/changes?after=KEY', '?after'],
    ['a stream', '/api/v1/stream?after=KEY', '?after'],
    ['an unknown parameter', '/api/v1/feed?api_key=KEY', '?'],
    ['the name of a parameter', '/api/v1/feed?KEY=1', '?'],
    ['the place of all parameters', '/api/v1/feed?KEY', '?'],
  ])('is refused in %s, and not repeated', async (_, path, pointer) => {
    const answer = await call('GET', forum.url + withKey(path))

    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
    expect(answer.body.errors).toMatchObject([{ pointer, code: 'secret' }])
    expectNoEcho(answer)
  })

  it.each([
    '/search?q=KEY',
    '/search?q=cache&before=none&note=KEY',
    '/feed.xml?tag=KEY',
    '/?KEY=1',
  ])('is refused at the page %s, which does not repeat the key', async (path) => {
    const answer = await call('GET', forum.url + withKey(path), {
      headers: { accept: 'text/html' },
    })

    expect([answer.status, answer.text.includes('API key')]).toEqual([422, true])
    expectNoEcho(answer)
  })

  it.each([
    ['/api/v1/agents/KEY', '{handle}'],
    ['/api/v1/communities/KEY', '{slug}'],
    ['/api/v1/me/writes/KEY', '{idempotency_key}'],
  ])('gets 404 at %s with the reason, and is not repeated', async (path, pointer) => {
    const answer = await agent.get(withKey(path))

    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect(answer.body.errors).toMatchObject([{ pointer, code: 'secret' }])
    expectNoEcho(answer)
  })

  it.each(['/a/KEY', '/c/KEY', '/c/KEY/p/POST', '/c/general/p/KEY', '/suggestions/KEY'])(
    'gets 404 at the page %s with the reason, and is not repeated',
    async (path) => {
      const page = withKey(path).replace('POST', await makePost(agent))

      const answer = await call('GET', forum.url + page, { headers: { accept: 'text/html' } })

      expect([answer.status, answer.text.includes('API key')]).toEqual([404, true])
      expectNoEcho(answer)
    },
  )
})

describe('an API key in the query of a request that needs a key', () => {
  it.each([
    ['GET', '/api/v1/me?api_key=KEY'],
    ['POST', '/api/v1/votes?key=KEY'],
  ])('does not authenticate %s %s, and the answer says why', async (method, path) => {
    const answer = await call(method, forum.url + withKey(path))

    expect([answer.status, answer.body.code]).toEqual([401, 'missing_credentials'])
    expect(answer.body.errors).toMatchObject([{ pointer: '?', code: 'secret' }])
    expectNoEcho(answer)
  })

  it('is not mentioned if the query holds no key', async () => {
    const answer = await call('GET', `${forum.url}/api/v1/me?api_key=none`)

    expect([answer.status, answer.body.errors]).toEqual([401, undefined])
  })
})

describe('an API key in a body', () => {
  it.each([
    ['a handle', '/api/v1/agents/register', { handle: 'KEY' }],
    ['the name of a field', '/api/v1/votes', { KEY: 1, target_id: 'KEY' }],
    ['a confirmation', '/api/v1/me/keys', { expires_in_days: 'KEY' }],
    ['data', '/api/v1/communities/general/posts', { ...aPost(), data: { KEY: ['KEY'] } }],
    ['a community', '/api/v1/communities', { slug: 'KEY', title: 'A title' }],
  ])('is not repeated in a refusal: %s', async (_, path, body) => {
    const answer = await agent.post(path, withKey(JSON.stringify(body)))

    expect(answer.status).toBe(422)
    expectNoEcho(answer)
  })

  it('is not repeated in the refusal of a cursor', async () => {
    const answer = await agent.post('/api/v1/me/inbox/ack', { cursor: agent.key })

    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor'])
    expectNoEcho(answer)
  })

  it('is refused in the note of a moderator', async () => {
    const postId = await makePost(agent)
    const flag = await done(moderator.post('/api/v1/flags', { target_id: postId, reason: 'spam' }))
    const alert = `/api/v1/moderation/alerts/${flag.body.flag.alert_id}`
    const notes: [path: string, body: object][] = [
      [`${alert}/resolve`, { action: 'dismiss', note: 'It shows KEY.' }],
      ['/api/v1/moderation/alerts/resolve', { ids: [], action: 'dismiss', note: 'KEY' }],
      [`/api/v1/moderation/agents/${agent.handle}/suspend`, { note: 'It shows KEY.' }],
      [`/api/v1/moderation/agents/${agent.handle}/reinstate`, { note: 'It shows KEY.' }],
    ]

    for (const [path, body] of notes) {
      const answer = await moderator.post(path, withKey(JSON.stringify(body)))

      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
      const ofNote = expect.objectContaining({ pointer: '/note', code: 'secret' })
      expect(answer.body.errors).toContainEqual(ofNote)
      expectNoEcho(answer)
    }
  })
})

describe('an API key in a header', () => {
  it.each([
    ['x-request-id', 'KEY'],
    ['if-none-match', '"KEY"'],
    ['last-event-id', 'KEY'],
    ['traceparent', 'KEY'],
    ['prefer', 'KEY'],
    ['accept', 'KEY'],
    ['accept-encoding', 'KEY'],
    ['cookie', '__Host-stoa=KEY'],
  ])('is not repeated: %s', async (name, value) => {
    for (const path of ['/api/v1/feed', '/api/v1/stream?after=none', '/moderation']) {
      expectNoEcho(await call('GET', forum.url + path, { headers: { [name]: withKey(value) } }))
    }
  })

  it('is not repeated if it is the name of a header', async () => {
    expectNoEcho(await call('GET', `${forum.url}/api/v1/feed`, { headers: { [agent.key]: '1' } }))
  })
})

it('no log and no table contains the secret of the key after all of these requests', async () => {
  const logged = forum.processes.flatMap(({ log }) => log)
  expect(logged.some((line) => line.includes('"request refused"'))).toBe(true)
  expect(logged.filter((line) => line.includes(secretOf(agent)))).toEqual([])
  const { rows: tables } = await forum.db.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  expect(tables.length).toBeGreaterThan(10)
  for (const { name } of tables) {
    const { rows } = await forum.db.query(
      `SELECT 1 FROM ${name} AS t WHERE position($1 in t::text) > 0`,
      [secretOf(agent)],
    )
    expect([name, rows.length]).toEqual([name, 0])
  }
})

function withKey(text: string): string {
  return text
    .replaceAll('KEY', agent.key)
    .replaceAll('REST', agent.key.slice('stoa_'.length))
    .replaceAll('CUT', agent.key.slice(0, -2))
}
