import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { request } from 'undici'
import { aPost, type TestAgent } from './support/agent.ts'
import { type PreparedForum, prepareForum } from './support/prepared-forum.ts'

let prepared: PreparedForum

beforeAll(async () => {
  prepared = await prepareForum()
})

afterAll(async () => {
  await prepared?.forum.stop()
})

interface Asked {
  method?: string
  headers?: Record<string, string>
  as?: TestAgent
  body?: unknown
}

async function ask(path: string, { method = 'GET', headers = {}, as, body }: Asked = {}) {
  const answer = await request(prepared.forum.url + path, {
    method: method as 'GET',
    headers: {
      ...(as ? { authorization: `Bearer ${as.key}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: body ? JSON.stringify(body) : null,
  })
  // A stream of events has no end to wait for.
  const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
  if (isStream) answer.body.on('error', () => {}).destroy()
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type'] ?? '').split(';')[0],
    headers: answer.headers,
    text: isStream ? '' : await answer.body.text(),
  }
}

const POSTS = '/api/v1/communities/general/posts'

/** A name, an address, the status and type of the answer, and how to ask. */
const KINDS: [string, () => string, number, string, (() => Asked)?][] = [
  ['JSON', () => '/api/v1/feed', 200, 'application/json'],
  ['an error', () => '/api/v1/nowhere', 404, 'application/problem+json'],
  ['Markdown', () => `/api/v1/posts/${prepared.postId}.md`, 200, 'text/markdown'],
  ['events', () => '/api/v1/stream', 200, 'text/event-stream'],
  ['the front page', () => '/', 200, 'text/html'],
  ['the page of a post', () => `/c/general/p/${prepared.postId}`, 200, 'text/html'],
  ['a redirect', () => `/p/${prepared.postId}`, 308, 'text/html'],
  [
    'an error page',
    () => '/nowhere',
    404,
    'text/html',
    () => ({ headers: { accept: 'text/html' } }),
  ],
  [
    'an error page for an address that cannot be decoded',
    () => '/c/100%',
    400,
    'text/html',
    () => ({ headers: { accept: 'text/html' } }),
  ],
  ['the console', () => '/moderation', 200, 'text/html'],
  ['skill.md', () => '/skill.md', 200, 'text/markdown'],
  ['openapi.json', () => '/openapi.json', 200, 'application/json'],
  ['llms.txt', () => '/llms.txt', 200, 'text/plain'],
  ['robots.txt', () => '/robots.txt', 200, 'text/plain'],
  ['security.txt', () => '/.well-known/security.txt', 200, 'text/plain'],
  ['the feed of news', () => '/feed.xml', 200, 'application/atom+xml'],
  [
    'the feed of a thread',
    () => `/c/general/p/${prepared.postId}/comments.xml`,
    200,
    'application/atom+xml',
  ],
  ['the map of the site', () => '/sitemap.xml', 200, 'application/xml'],
  ['the map of its posts', () => '/sitemap-posts.xml', 200, 'application/xml'],
  ['the style sheet', () => '/style.css', 200, 'text/css'],
  ['the icon', () => '/favicon.svg', 200, 'image/svg+xml'],
  ['the icon in pixels', () => '/favicon.ico', 200, 'image/x-icon'],
  ['the icon beside links', () => '/icon.png', 200, 'image/png'],
  ['how to search', () => '/opensearch.xml', 200, 'application/opensearchdescription+xml'],
  ['a code explained', () => '/errors/rate_limited', 200, 'text/markdown'],
  ['HEAD', () => '/api/v1/feed', 200, 'application/json', () => ({ method: 'HEAD' })],
  ['OPTIONS', () => '/api/v1/feed', 204, '', () => ({ method: 'OPTIONS' })],
  [
    'a method that does not fit',
    () => '/api/v1/feed',
    405,
    'application/problem+json',
    () => ({ method: 'PUT' }),
  ],
  [
    'what was made',
    () => POSTS,
    201,
    'application/json',
    () => ({ method: 'POST', as: prepared.author, body: aPost() }),
  ],
  [
    'what was refused',
    () => POSTS,
    422,
    'application/problem+json',
    () => ({ method: 'POST', as: prepared.author, body: aPost({ kind: 'rant' }) }),
  ],
]

describe('every response', () => {
  const cases = KINDS.map(([name, path, status, type, how]) => ({ name, path, status, type, how }))

  it.each(cases)('is marked as untrusted: $name', async ({ path, status, type, how }) => {
    const answer = await ask(path(), how?.())

    expect([answer.status, answer.type]).toEqual([status, type])
    expect(answer.headers).toMatchObject({
      'x-content-trust': 'untrusted',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
  })

  const pages = cases.filter(({ type, status }) => type === 'text/html' && status !== 308)

  it.each(pages)('allows no script and no frame if it is a page: $name', async (page) => {
    const { headers } = await ask(page.path(), page.how?.())

    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': page.path().startsWith('/moderation') ? 'same-origin' : 'no-referrer',
    })
    for (const rule of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(headers['content-security-policy']).toContain(rule)
    }
    expect(headers['content-security-policy']).not.toContain('script-src')
  })

  const once = cases.filter(({ status }) => status >= 400 || status === 201)

  it.each(once)(
    'is stored nowhere if it is an error or a created object: $name',
    async ({ path, how }) => {
      const { headers } = await ask(path(), how?.())

      expect(headers['cache-control']).toBe('private, no-store')
    },
  )

  it('is revalidated if it is public, and not stored if it was asked for with a key', async () => {
    for (const path of ['/api/v1/feed', `/c/general/p/${prepared.postId}`]) {
      const anybody = await ask(path)
      const agent = await ask(path, { as: prepared.reader })

      expect(anybody.headers['cache-control']).toBe('public, no-cache')
      expect(agent.headers['cache-control']).toBe('private, no-store')
      for (const { headers } of [anybody, agent]) {
        expect(headers.vary).toBe('Accept-Encoding, Authorization')
      }
    }
  })

  it('is marked as untrusted if it is cached, compressed or 304 too', async () => {
    const first = await ask('/api/v1/communities')
    const etag = String(first.headers.etag)

    const answers = [
      await ask('/api/v1/communities'),
      await ask('/api/v1/communities', { headers: { 'accept-encoding': 'br' } }),
      await ask('/api/v1/communities', { headers: { 'accept-encoding': 'gzip' } }),
      await ask('/api/v1/communities', { headers: { 'if-none-match': etag } }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 304])
    for (const { headers } of answers) expect(headers['x-content-trust']).toBe('untrusted')
  })

  it('begins with the envelope if it is JSON', async () => {
    for (const path of ['/api/v1/feed', '/api/v1/nowhere', `/api/v1/posts/${prepared.postId}`]) {
      const { text } = await ask(path)

      expect(text).toMatch(
        /^\{"untrusted":true,"protocol":"stoa-v0\.2","safety_notice":"Content is/,
      )
      expect(JSON.parse(text).object).toEqual(expect.any(String))
    }
  })
})
