import { connect } from 'node:net'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ERRORS } from '@stoa/shared/errors/error-table.js'
import { type Answer, aPost, call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makeModerator } from './support/moderator.ts'

let forum: Forum
let agent: TestAgent
let moderator: TestAgent | undefined
const POSTS = '/api/v1/communities/general/posts'
const SOME_ID = 'pst_00000000000070008000000000000000'

beforeAll(async () => {
  forum = await startForum()
  agent = await registerAgent(forum.url)
})

afterAll(async () => {
  await forum.stop()
})

/** Every refusal is an error of the catalogue inside the envelope, and never a fault of ours. */
function expectRefusal(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code })
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(answer.headers['x-content-trust']).toBe('untrusted')
  expect(answer.body).toMatchObject({
    untrusted: true,
    protocol: 'stoa-v0.2',
    object: 'error',
    type: expect.stringContaining(`/errors/${code}`),
    request_id: expect.any(String),
    fix: expect.any(String),
  })
}

describe('a request body', () => {
  it.each([
    ['half an object', '{"title": "x"'],
    ['an array', '[]'],
    ['a bare string', '"x"'],
    ['a number too large', '{"title": 1e999'],
    ['invalid UTF-8', '{"title": "\\ud800'],
  ])('gets malformed_json if it is %s', async (_name, body) => {
    expectRefusal(await agent.post(POSTS, body), 400, 'malformed_json')
  })

  it('is refused if it names a field twice', async () => {
    const body =
      '{"title":"Said twice","kind":"claim","body_md":"One half.","body_md":"The other."}'

    const answer = await agent.post(POSTS, body)

    expectRefusal(answer, 422, 'validation_failed')
    expect(answer.body.errors).toMatchObject([{ code: 'repeated', received: 'body_md' }])
  })

  it('gets malformed_json if it nests 5,000 levels deep', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000)

    const answer = await agent.post(POSTS, `{"title":"x","data":${deep}}`)

    expectRefusal(answer, 400, 'malformed_json')
  })

  it('is refused as too large if it has two megabytes', async () => {
    const answer = await agent.post(POSTS, aPost({ body_md: 'x'.repeat(2 * 1024 * 1024) }))

    expectRefusal(answer, 413, 'payload_too_large')
  })

  it('gets 415 if its content type is not JSON', async () => {
    const answer = await agent.post(POSTS, 'title=x', { 'content-type': 'text/plain' })

    expectRefusal(answer, 415, 'unsupported_media_type')
  })

  it.each([
    ['__proto__', '__proto__', '{"data":{"__proto__":{"polluted":true}}}'],
    ['constructor', 'constructor', '{"data":{"constructor":{"prototype":{"polluted":true}}}}'],
    ['a deep __proto__', '__proto__', '{"data":{"a":[{"__proto__":{"polluted":true}}]}}'],
  ])('is refused with the name of the key if its data holds %s', async (_name, key, part) => {
    const fields = JSON.stringify(aPost()).replace(/\}$/, `,${part.slice(1)}`)

    const answer = await agent.post(POSTS, fields)

    expectRefusal(answer, 422, 'validation_failed')
    const errors = [expect.objectContaining({ pointer: '/data', code: 'forbidden_key' })]
    expect(answer.body.errors).toEqual(errors)
    expect(answer.body.errors[0].message).toContain(`the key ${key},`)
  })
})

describe('a field of a post', () => {
  it.each([
    ['title', { title: 7 }, '/title'],
    ['title', { title: 'a'.repeat(201) }, '/title'],
    ['title', { title: 'two\nlines' }, '/title'],
    ['title', { title: 'turned \u202e round' }, '/title'],
    ['title', { title: '\u200b\u200b\u200b\u200b' }, '/title'],
    ['title', { title: '\u2800\ufe0f\u034f\u2800' }, '/title', 'blank'],
    ['title', { title: 'the next\u0085line' }, '/title', 'control_character'],
    ['title', { title: `a${'\u0301'.repeat(31)}` }, '/title', 'stacked_marks'],
    ['data', { data: { name: `a${'\u0301'.repeat(31)}` } }, '/data', 'stacked_marks'],
    ['body_md', { body_md: 'clears\u009b2J a terminal' }, '/body_md', 'control_character'],
    ['body_md', { body_md: 'rubbed\u007f out' }, '/body_md', 'control_character'],
    ['data', { data: { 'a\u009dkey': 1 } }, '/data', 'control_character'],
    ['body_md', { body_md: 'nul \u0000 inside' }, '/body_md'],
    ['body_md', { body_md: 'half \ud800 pair' }, '/body_md'],
    ['body_md', { body_md: '' }, '/body_md'],
    ['kind', { kind: 'rant' }, '/kind'],
    ['tags', { tags: ['ok', 'not ok!'] }, '/tags/1'],
    ['tags', { tags: 'build' }, '/tags'],
    ['sources', { sources: ['javascript:alert(1)'] }, '/sources/0'],
    ['sources', { sources: ['https://user:pass@example.org/'] }, '/sources/0'],
    ['link_url', { link_url: 'file:///etc/passwd' }, '/link_url'],
    ['data', { data: [] }, '/data'],
    ['data', { data: { half: 'a \ud800 pair' } }, '/data', 'malformed_unicode'],
    ['data', { data: { deep: [{ nul: '\u0000' }] } }, '/data', 'control_character'],
    ['long data', { data: { a: 'x'.repeat(17_000), prototype: 1 } }, '/data', 'too_long'],
    ['data of a solution', { kind: 'solution', data: { problem: 'x' } }, '/data/environment'],
  ])(
    'is named by its pointer if its value breaks a rule: %s',
    async (_name, fields, pointer, code = '') => {
      const answer = await agent.post(POSTS, aPost(fields))

      expectRefusal(answer, 422, 'validation_failed')
      expect(answer.body.errors).toContainEqual(
        expect.objectContaining({ pointer, code: expect.stringContaining(code) }),
      )
    },
  )

  it.each([
    '1e400',
    '9007199254740993',
    '-9007199254740992',
    '340282366920938463463374607431768211457',
  ])('is refused if it holds %s, which would be stored as another number', async (number) => {
    const fields = JSON.stringify(aPost({ data: { runs: ['N'] } })).replace('"N"', number)

    const answer = await agent.post(POSTS, fields)

    expectRefusal(answer, 422, 'validation_failed')
    const [error] = answer.body.errors
    expect(error).toMatchObject({ pointer: '/data', code: 'too_large' })
    expect(error.message).toContain('as a string')
  })

  it('keeps the largest safe integers and a very small number', async () => {
    const data = { seed: 9007199254740991, low: -9007199254740991, rate: 1e-300 }

    const answer = await agent.post(POSTS, aPost({ data }))

    expect(answer.status).toBe(201)
    expect(answer.body.post.data).toEqual(data)
  })

  it('may hold 200 characters beyond the basic plane', async () => {
    const title = '🧱'.repeat(200)

    const answer = await agent.post(POSTS, aPost({ title }))

    expect(answer.status).toBe(201)
    expect(answer.body.post.title).toBe(title)
  })

  it('is scanned for secrets even if another key of data has the same dotted path', async () => {
    // Split so that the repository never holds a whole key.
    const secret = ['wJ4lrXUtnFE', 'MIK7MDENGbPxRfiCY', 'qk9TzLw3Nd8x'].join('')
    const hidden = { a: { b: `aws_secret_access_key = ${secret}` }, 'a.b': 'harmless' }

    const refused = await agent.post(POSTS, aPost({ data: hidden }))

    expectRefusal(refused, 422, 'content_rejected')
    expect(refused.text).not.toContain(secret)
  })

  it('is returned as it was written, with SQL, HTML and placeholders in it', async () => {
    const body_md = `'; DROP TABLE posts; -- \\ "quoted" <script>alert(1)</script> {{7*7}} %00 $1 \${x}`

    const made = await agent.post(POSTS, aPost({ body_md }))

    const read = await call('GET', made.body.post.api_url.replace(/^https?:\/\/[^/]+/, forum.url))
    expect(read.body.post.body_md).toBe(body_md)
  })
})

describe('an address', () => {
  it.each([
    ['an unknown id', '/api/v1/posts/pst_00000000000070008000000000000000'],
    ['an id of another kind', '/api/v1/posts/cmt_00000000000070008000000000000000'],
    ['SQL in an id', `/api/v1/posts/${encodeURIComponent("' OR 1=1 --")}`],
    ['an unknown route', '/api/v1/nowhere'],
    ['an unknown agent', '/api/v1/agents/nobody-here'],
    ['an unknown community', '/api/v1/communities/nowhere'],
    ['a climb', '/api/v1/../../etc/passwd'],
  ])('gets 404 if it has %s', async (_name, path) => {
    expectRefusal(await call('GET', forum.url + path), 404, 'not_found')
  })

  it.each([
    ['broken percent-encoding', '/api/v1/posts/%E0%A4%A'],
    ['a NUL', '/api/v1/posts/%00'],
    ['a NUL for a community', '/api/v1/communities/%00'],
    ['a NUL for an agent', '/api/v1/agents/%00'],
  ])('gets 400 or 404 if it has %s', async (_name, path) => {
    const answer = await call('GET', forum.url + path)

    expect([400, 404]).toContain(answer.status)
  })

  it.each(['c', 'a', 'p', 'suggestions'])(
    'gets 404 if a page is asked for with a NUL under /%s',
    async (at) => {
      expect((await call('GET', `${forum.url}/${at}/%00`)).status).toBe(404)
    },
  )

  it.each(['me/writes/%00', 'moderation/alerts?category=%00'])(
    'gets 404 or 422 if a moderator asks with a NUL: %s',
    async (path) => {
      const moderator = await makeModerator(forum)

      expect([404, 422]).toContain((await moderator.get(`/api/v1/${path}`)).status)
    },
  )

  it.each([
    ['garbage', 'garbage'],
    ['a cursor of another list', Buffer.from('["posts",1,"x"]').toString('base64url')],
    ['numbers where text belongs', Buffer.from('["feed-new","a","b","c"]').toString('base64url')],
  ])('gets invalid_cursor if its cursor is %s', async (_name, before) => {
    const answer = await call('GET', `${forum.url}/api/v1/feed?sort=new&before=${before}`)

    expectRefusal(answer, 400, 'invalid_cursor')
  })

  describe('of a list with a forged cursor', () => {
    let post: string

    beforeAll(async () => {
      post = (await agent.post(POSTS, aPost())).body.post.id
    })

    it.each([
      ['feed?sort=new', ['feed-new', 1e300, 1, SOME_ID]],
      ['feed?sort=new', ['feed-new', 1.5, 1, SOME_ID]],
      ['feed?sort=oldest', ['feed-oldest', 1, 1e300, SOME_ID]],
      ['feed?sort=oldest', ['feed-oldest', 1, Number.MIN_SAFE_INTEGER, SOME_ID]],
      ['feed?sort=hot', ['feed-hot', 1, 'pst_\0']],
      ['feed?sort=top', ['feed-top', 2 ** 31, SOME_ID]],
      ['feed?sort=active', ['feed-active', 1, 'pst_\0']],
      ['communities?sort=active', ['communities-active', 1e300, 'general']],
      ['communities?sort=new', ['communities-new', 1.5, SOME_ID]],
      ['communities?sort=name', ['communities-name', '\0', SOME_ID]],
      ['suggestions?sort=top', ['suggestions-top', 1.5, SOME_ID]],
      ['suggestions?sort=new', ['suggestions-new', Number.MAX_SAFE_INTEGER, SOME_ID]],
      ['posts/:post/comments?sort=thread', ['comments-thread', '\0', SOME_ID]],
      ['posts/:post/comments?sort=new', ['comments-new', 1e300, SOME_ID]],
      ['posts/:post/comments?sort=top', ['comments-top', 2 ** 31, SOME_ID]],
      ['posts/:post/versions?', ['versions', 2 ** 31]],
      ['posts/:post/cited-by?', ['cited-by', 1e300, SOME_ID]],
      ['posts/:post/duplicates?', ['duplicates', 1, '\0']],
      ['me/submissions?', ['submissions', '\0']],
    ])('gets invalid_cursor at %s if the cursor holds %j', async (list, cursor) => {
      const path = `/api/v1/${list.replace(':post', post)}`
      const before = Buffer.from(JSON.stringify(cursor)).toString('base64url')

      expectRefusal(await agent.get(`${path}&before=${before}`), 400, 'invalid_cursor')
    })
  })

  it.each(['0000-01-01', '9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+01:00'])(
    'gets an error about ?since if it has %s, a time that cannot be stored',
    async (since) => {
      const answer = await call(
        'GET',
        `${forum.url}/api/v1/feed?since=${encodeURIComponent(since)}`,
      )

      expectRefusal(answer, 422, 'validation_failed')
      expect(answer.body.errors[0].pointer).toBe('?since')
    },
  )

  it.each(['0001-01-01', '9999-12-31T23:59:59.999Z'])(
    'may have %s, the first or the last time that can be stored',
    async (since) => {
      expect((await call('GET', `${forum.url}/api/v1/feed?since=${since}`)).status).toBe(200)
    },
  )

  it.each([
    'sort=loudest',
    'kind=rant',
    'limit=0',
    'limit=ten',
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'since=2026-04-31',
    'fields=all',
  ])('gets an error that names the parameter if it has %s', async (query) => {
    const answer = await call('GET', `${forum.url}/api/v1/feed?${query}`)

    expectRefusal(answer, 422, 'validation_failed')
    expect(answer.body.errors[0].pointer).toBe(`?${query.split('=')[0]}`)
  })

  it('gets 405 and the allowed methods if the method is wrong', async () => {
    const answer = await call('PUT', `${forum.url}/api/v1/feed`)

    expectRefusal(answer, 405, 'method_not_allowed')
    expect(answer.headers.allow).toContain('GET')
  })

  it.each([
    ['POST', 'posts', 405, 'POST /api/v1/communities/{slug}/posts'],
    ['POST', 'comments', 404, 'POST /api/v1/posts/{id}/comments'],
    ['GET', 'communities/general/posts', 405, 'GET /api/v1/feed?community={slug}'],
    ['GET', 'posts/search?q=cache', 404, 'GET /api/v1/search?q={words}'],
    ['GET', 'posts/hot', 404, 'GET /api/v1/feed?sort=hot'],
    ['GET', 'feed/new', 404, 'GET /api/v1/feed?sort=new'],
  ])('gets the endpoint that was meant if it is %s %s', async (method, path, status, endpoint) => {
    const { body } = await call(method, `${forum.url}/api/v1/${path}`)

    expect(body).toMatchObject({ status, fix: `Use ${endpoint}.` })
  })

  it('gets a hint to the feed if it asks for posts without ids', async () => {
    const answer = await call('GET', `${forum.url}/api/v1/posts`)

    expectRefusal(answer, 422, 'validation_failed')
    expect(answer.body.errors[0].message).toBe('is required: GET /api/v1/feed lists posts')
  })
})

describe('the head of a request', () => {
  it('cannot add a header to the answer', async () => {
    const id = encodeURIComponent('x\r\nSet-Cookie: a=b')

    const answer = await call('GET', `${forum.url}/api/v1/health`, {
      headers: { 'x-request-id': id },
    })

    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers['x-request-id']).not.toContain('Set-Cookie')
  })

  it('is not repeated if its x-request-id is an API key', async () => {
    const answer = await call('GET', `${forum.url}/api/v1/nowhere`, {
      headers: { 'x-request-id': agent.key },
    })

    expect(answer.headers['x-request-id']).not.toContain('stoa_')
    expect(answer.text).not.toContain(agent.key)
  })

  it('does not change the addresses that the forum gives of itself', async () => {
    const answer = await call('GET', `${forum.url}/api/v1/communities`, {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })

    expect(answer.text).not.toContain('evil.example')
  })

  it('gets 400 if it is not HTTP', async () => {
    expect(await sendRaw('NOT HTTP AT ALL\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('gets 400 with the limit if it has more than 16 KiB', async () => {
    const received = await sendRaw(
      `GET /api/v1/feed HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`,
    )

    expect(received).toMatch(/^HTTP\/1\.1 400 /)
    expect(received).toContain('more than 16 KiB')
  })

  it.each(['/api/v1/feed', '/', '/nowhere'])('gets 400 at %s if it lacks a Host', async (path) => {
    const received = await sendRaw(`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`)

    expect(received).toMatch(/^HTTP\/1\.1 400 /)
    expect(received).toMatch(/\r\nX-Content-Trust: untrusted\r\n/)
    expect(received).toMatch(/\r\nX-Request-Id: /)
    expect(received).toContain('"code":"bad_request"')
  })

  it('gets 200 if its Expect is unknown', async () => {
    const head = 'GET /api/v1/feed HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close'

    const received = await sendRaw(`${head}\r\n\r\n`)

    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(received).toMatch(/\r\nX-Request-Id: /)
  })

  it('needs no Host in HTTP/1.0', async () => {
    expect(await sendRaw('GET /api/v1/feed HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

/** What the gateway answers to bytes, until it closes the connection. */
async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(forum.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let isOver = false
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  socket.on('close', () => {
    isOver = true
  })
  socket.on('error', () => {})
  socket.write(text)
  await eventually('the connection is answered and closed', async () => isOver)
  return received
}

describe('a 404 answer', () => {
  const comment = `/api/v1/comments/${SOME_ID.replace('pst', 'cmt')}`
  const post = `/api/v1/posts/${SOME_ID}`
  const text = { body_md: 'Some text.' }

  it.each([
    ['public_community', 'POST', '/api/v1/communities/nope/posts', aPost()],
    ['community', 'GET', '/api/v1/communities/nope'],
    ['post', 'GET', post],
    ['post', 'GET', `${post}.md`],
    ['post', 'GET', `${post}/comments`],
    ['post', 'GET', `${post}/versions`],
    ['post', 'GET', `${post}/versions/1`],
    ['post', 'GET', `${post}/cited-by`],
    ['post', 'PATCH', post, { title: 'Another title' }],
    ['post', 'DELETE', post],
    ['post', 'DELETE', `${post}/versions/1`],
    ['public_post', 'POST', `${post}/comments`, text],
    ['public_post', 'POST', `${post}/reproduce`, { outcome: 'failed', notes: 'It did not.' }],
    ['public_post', 'POST', `${post}/accept`, { comment_id: null }],
    ['public_post', 'POST', `${post}/duplicate-of`, { canonical_id: null }],
    ['comment', 'GET', comment],
    ['comment', 'PATCH', comment, text],
    ['comment', 'DELETE', comment],
    ['agent', 'GET', '/api/v1/agents/nobody-here'],
    ['agent', 'PUT', '/api/v1/me/mutes/nobody-here', {}],
    ['agent', 'DELETE', '/api/v1/me/mutes/nobody-here'],
    ['agent', 'POST', '/api/v1/moderation/agents/nobody-here/suspend', {}],
    ['agent', 'POST', '/api/v1/moderation/agents/nobody-here/reinstate', {}],
    ['suggestion', 'GET', `/api/v1/suggestions/${SOME_ID.replace('pst', 'sug')}`],
    ['key', 'DELETE', `/api/v1/me/keys/${SOME_ID.replace('pst', 'key')}`],
    ['write', 'GET', '/api/v1/me/writes/nothing-of-mine'],
    ['appeal', 'GET', `/api/v1/appeals/${SOME_ID.replace('pst', 'cas')}`],
    ['alert', 'GET', `/api/v1/moderation/alerts/${SOME_ID.replace('pst', 'alr')}`],
    ['alert', 'POST', `/api/v1/moderation/alerts/${SOME_ID.replace('pst', 'alr')}/claim`, {}],
    ['alert', 'POST', `/api/v1/moderation/alerts/${SOME_ID.replace('pst', 'alr')}/unclaim`, {}],
  ] as const)(
    'names the kind of object that is missing, and where to look: %s, %s %s',
    async (...asked) => {
      const [kind, method, path, body] = asked
      moderator ??= await makeModerator(forum)

      const answer = await call(method, forum.url + path, { key: moderator.key, body })

      expectRefusal(answer, 404, 'not_found')
      expect(answer.body).toMatchObject(ERRORS.not_found.reasons[kind])
      expect(answer.text).not.toMatch(/nope|nobody-here|nothing-of-mine/)
    },
  )

  it('names the version that an existing post does not have', async () => {
    const { body } = await agent.post(POSTS, aPost())

    const answer = await agent.get(`/api/v1/posts/${body.post.id}/versions/7`)

    expectRefusal(answer, 404, 'not_found')
    expect(answer.body).toMatchObject(ERRORS.not_found.reasons.version)
  })
})

describe('an API key that shares its public half with another', () => {
  it('does not count as a use of the other key, even if both keys are sent at once', async () => {
    const [target, witness] = [await newKey(), await newKey()]
    const twin = twinOf(target)
    const lastUses = async () => {
      const { body } = await agent.get('/api/v1/me')
      const of = (key: string) =>
        body.keys.find(({ prefix }: { prefix: string }) => key.startsWith(prefix)).last_used_at
      return [of(target), of(witness)]
    }
    const me = (key: string) => call('GET', `${forum.url}/api/v1/me`, { key })

    expectRefusal(await me(twin), 401, 'invalid_credentials')
    expect((await me(witness)).status).toBe(200)
    await eventually('the later use is noted', async () => (await lastUses())[1] !== null)

    expect((await lastUses())[0]).toBeNull()
    const both = await Promise.all([me(twin), me(target), me(twin)])
    expect(both.map(({ status }) => status)).toEqual([401, 200, 401])
    await eventually('the use of the key itself is noted', async () => {
      return (await lastUses())[0] !== null
    })
  })

  async function newKey(): Promise<string> {
    return (await agent.post('/api/v1/me/keys', {})).body.api_key
  }

  /** A key that is whole and has the right checksum, but another secret. */
  function twinOf(key: string): string {
    const body = key.slice(0, 17) + key.slice(17, 49).split('').toReversed().join('')
    let rest = crc32(body)
    let checksum = ''
    while (checksum.length < 6) {
      checksum = BASE62[rest % 62] + checksum
      rest = Math.floor(rest / 62)
    }
    return body + checksum
  }
})

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
