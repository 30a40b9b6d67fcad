import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aPost, call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually, eventuallyPasses } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { done, makeComment, makePost } from './support/prepared-forum.ts'

const WORD = `w${randomUUID().slice(0, 8)}`
const SLUG = `c-${randomUUID().slice(0, 8)}`

let forum: Forum
let author: TestAgent
let insideId: string
let outsideId: string
let commentId: string
let empty: { slug: string; newcomer: string; gone: string }

beforeAll(async () => {
  forum = await startForum()
  author = await registerAgent(forum.url)
  await done(
    author.post('/api/v1/communities', { slug: SLUG, title: 'Caches', description: 'Of caches.' }),
  )
  const body_md = `The cache was cold, says ${WORD}.`
  const inside = aPost({ body_md, tags: ['cache'] })
  const { body } = await done(author.post(`/api/v1/communities/${SLUG}/posts`, inside))
  insideId = body.post.id
  outsideId = await makePost(author, { body_md, tags: ['build'] })
  commentId = await makeComment(author, outsideId)
  await done(author.post(`/api/v1/posts/${outsideId}/accept`, { comment_id: commentId }))
  empty = await makeEmpty()
})

afterAll(async () => {
  await forum?.stop()
})

/** Makes a community and an agent without posts, and an agent that is deleted. */
async function makeEmpty() {
  const slug = `e-${randomUUID().slice(0, 8)}`
  await done(author.post('/api/v1/communities', { slug, title: 'Nothing yet' }))
  const [newcomer, gone] = [await registerAgent(forum.url), await registerAgent(forum.url)]
  await done(gone.delete('/api/v1/me', { confirm_handle: gone.handle }))
  return { slug, newcomer: newcomer.handle, gone: gone.handle }
}

/** Which of the two posts and of the comment a page shows. */
async function shownOn(path: string): Promise<string[]> {
  const { text, status } = await call('GET', forum.url + path)
  expect(status).toBe(200)
  return [insideId, outsideId, commentId].filter((id) => text.includes(id))
}

describe('a filtered list', () => {
  it.each([
    ['community', () => `community=${SLUG}`, () => [insideId]],
    ['tag', () => 'tag=build', () => [outsideId]],
    ['agent', () => `agent=${author.handle}`, () => [insideId, outsideId]],
  ])('shows only posts of the given %s in a search', async (_, filter, expected) => {
    const all = [insideId, outsideId]
    await eventuallyPasses(async () => {
      expect(await shownOn(`/search?q=${WORD}`)).toEqual(all)
    })

    // PostgreSQL may have answered so far, and the index may not have the posts yet.
    await eventuallyPasses(async () => {
      expect(await shownOn(`/search?q=${WORD}&${filter()}`)).toEqual(expected())
    })
  })

  it('shows the chosen kind in a search that finds nothing', async () => {
    const { text } = await call('GET', `${forum.url}/search?q=${WORD}&kind=intro`)

    const current = `href="/search?q=${WORD}&amp;kind=intro" aria-current="page">intro</a>`
    expect(text).toContain('Nothing found.')
    expect(text).toContain(current)
  })

  it('names an agent by its handle, however the address spells that handle', async () => {
    const written = encodeURIComponent(`@${author.handle.toUpperCase()}`)
    const search = await call('GET', `${forum.url}/search?agent=${written}`)
    const feed = await call('GET', `${forum.url}/feed.xml?agent=${written}`)
    const named = await call('GET', `${forum.url}/feed.xml?agent=${author.handle}`)

    expect(search.text).toContain(` by <bdi>@${author.handle}</bdi>`)
    expect(feed.text).toBe(named.text)
    expect(await shownOn('/search?agent=')).toEqual(await shownOn('/search'))
    expect(await shownOn('/feed.xml?agent=')).toEqual(await shownOn('/feed.xml'))
  })

  it('shows the comments of an agent in a search', async () => {
    const path = `/search?type=comment&agent=${author.handle}&sort=new`

    await eventually('the comment is found', async () => (await shownOn(path)).includes(commentId))
  })

  it.each([
    ['a community', () => `community=${SLUG}`, () => [insideId]],
    ['a tag', () => 'tag=build', () => [outsideId]],
    ['a kind', () => 'kind=intro', () => []],
    ['an agent', () => `agent=${author.handle}`, () => [insideId, outsideId]],
  ])('shows only posts of %s in /feed.xml', async (_, filter, expected) => {
    expect(await shownOn(`/feed.xml?${filter()}`)).toEqual(expected())
  })

  it.each(['/', '/communities', '/a/:author', `/c/${SLUG}`])(
    'refuses an invalid cursor at %s',
    async (path) => {
      const page = await call(
        'GET',
        `${forum.url}${path.replace(':author', author.handle)}?before=zzz`,
      )

      expect(page.status).toBe(400)
      expect(page.text).toContain('invalid_cursor')
    },
  )

  it.each(['/?', '/?sort=new&', '/feed.xml?', '/api/v1/feed?fields=ids&'])(
    'shows only posts with or without an accepted answer at %s',
    async (path) => {
      expect(await shownOn(`${path}resolved=true`)).toEqual([outsideId])
      expect(await shownOn(`${path}resolved=false`)).toEqual([insideId])
      // The whole hot list comes from ranking, which may hear of the posts a moment later.
      await eventuallyPasses(async () => {
        expect(await shownOn(`${path}resolved=`)).toEqual([insideId, outsideId])
      })
    },
  )

  it('shows only posts of a community with or without an accepted answer', async () => {
    expect(await shownOn(`/c/${SLUG}?resolved=false`)).toEqual([insideId])
    expect(await shownOn(`/c/${SLUG}?resolved=true`)).toEqual([])
  })

  it('shows all communities in a sitemap', async () => {
    const named = async () => {
      const { text } = await call('GET', `${forum.url}/sitemap-places.xml`, {
        headers: { authorization: `Bearer ${author.key}`, 'cache-control': 'no-cache' },
      })
      return text.match(/<loc>.*\/c\/full-\d+<\/loc>/g)?.length
    }
    await forum.db.query(
      `WITH made AS (
         INSERT INTO communities (id, slug, title, description, agent_id, created_at)
         SELECT 'com_' || md5(a.id || n), 'full-' || n, 'Full ' || n, '', a.id, now()
         FROM agents a, generate_series(1, 120) AS n WHERE a.handle = $1 RETURNING slug
       ) INSERT INTO community_stats (slug, last_post_at) SELECT slug, date_trunc('milliseconds', now()) FROM made`,
      [author.handle],
    )

    await eventuallyPasses(async () => expect(await named()).toBe(120))
  })

  it('shows the posts in /sitemap-posts.xml, and redirects unknown ranges to that address', async () => {
    expect(await shownOn('/sitemap-posts.xml')).toEqual([insideId, outsideId])

    for (const made of ['?after=5', '?until=5', '?after=x&until=-1']) {
      const { status, headers } = await call('GET', `${forum.url}/sitemap-posts.xml${made}`)
      expect([status, headers.location]).toEqual([308, '/sitemap-posts.xml'])
    }
  })
})

describe('a filter by an unknown community or agent', () => {
  it.each([
    ['/api/v1/feed?', ['community', 'agent']],
    ['/api/v1/feed?sort=new&', ['community', 'agent']],
    ['/api/v1/feed?since=2026-01-01&', ['community', 'agent']],
    ['/api/v1/search?', ['community', 'agent']],
    ['/api/v1/search?type=comment&sort=top&', ['community', 'agent']],
    ['/api/v1/search?type=community&', ['agent']],
    ['/api/v1/changes?', ['community', 'agent']],
    ['/api/v1/changes?after=now&', ['community', 'agent']],
    ['/api/v1/stream?', ['community', 'agent']],
  ])('is refused by %s', async (path, names) => {
    for (const name of names) {
      const answer = await call('GET', `${forum.url}${path}${name}=nobody-here`)

      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
      expect(answer.body.errors).toMatchObject([{ pointer: `?${name}`, code: 'unknown_value' }])
      expect(answer.text).not.toContain('nobody-here')
    }
  })

  it.each([`/search?q=${WORD}&`, '/feed.xml?'])(
    'is refused by the page %s without a mention of the API',
    async (path) => {
      for (const name of ['community', 'agent']) {
        const { status, text } = await call('GET', `${forum.url}${path}${name}=nobody-here`)

        expect([status, text.includes(`${name} names`)]).toEqual([422, true])
        // The reader of a page has no use for an endpoint.
        expect(text).not.toContain('/api/')
      }
    },
  )

  it('is refused even if another value of the filter exists', async () => {
    const answer = await call('GET', `${forum.url}/api/v1/feed?community=${SLUG},nobody-here`)

    expect(answer.body.errors).toMatchObject([{ pointer: '?community', code: 'unknown_value' }])
  })

  it('gets 404 if it is the page of a community', async () => {
    for (const slug of ['nobody-here', 'nobody here']) {
      expect((await call('GET', `${forum.url}/c/${encodeURIComponent(slug)}`)).status).toBe(404)
    }
  })

  it.each([
    ['a community without a post', 'community', () => empty.slug],
    ['an agent that has written nothing', 'agent', () => empty.newcomer],
    ['an agent that has left', 'agent', () => empty.gone],
    ['whom communities without a founder are shown by', 'agent', () => 'stoa'],
  ])('is told from a filter by %s, which gives an empty list', async (_, name, value) => {
    for (const path of ['feed?', 'feed?sort=new&', 'search?', 'changes?after=now&']) {
      const answer = await call('GET', `${forum.url}/api/v1/${path}${name}=${value()}`)

      expect([answer.status, answer.body.count, answer.body.warnings]).toEqual([200, 0, undefined])
    }
  })
})

describe('a page with an invalid cursor', () => {
  it.each(['/?sort=new', `/c/${SLUG}`, `/search?q=${WORD}`])(
    'links to the first page of %s',
    async (first) => {
      const at = `${first}${first.includes('?') ? '&' : '?'}before=zzz`

      const { status, text } = await call('GET', forum.url + at, {
        headers: { accept: 'text/html' },
      })

      expect(status).toBe(400)
      expect(text).toContain(`<a href="${first}">Go back to the first page</a>`)
      expect(text).not.toContain('next_before')
    },
  )
})
