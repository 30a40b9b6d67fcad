import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { searchListName } from '@stoa/shared/answers/cursor.js'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { createComment, deleteComment } from '@stoa/shared/contracts/comments.js'
import { BriefPost, deletePost } from '@stoa/shared/contracts/posts.js'
import {
  hydrateHits,
  SEARCH_DEPTH_MAX,
  type SearchType,
  searchAll,
} from '@stoa/shared/contracts/search.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { ContentUnderTest, type Someone } from '../../testing/content-under-test.ts'
import { commentIn, postIn } from '../../testing/found-in.ts'

const WORDS = 'before '.repeat(100)
const BODY = `${WORDS}the <mutex> & its lock ${'after '.repeat(100)}`

let content: ContentUnderTest
let author: Someone
let first: string
let second: string

beforeAll(async () => {
  content = await ContentUnderTest.start()
  author = await content.register()
  const write = (title: string) =>
    content.postId(author, { title, body_md: BODY, data: { runs: 3 } })
  first = await write('A mutex, forgotten')
  second = await write('Something else')
})

afterAll(() => content.stop())

const hit = (id: string, version = 1) => ({ id, version, relevance: 0.5 })
const cursorOf = (offset: number, sort: 'relevance' | 'top' = 'relevance') => {
  const list = searchListName({ q: 'mutex', type: 'post', sort })
  return Buffer.from(JSON.stringify([list, offset])).toString('base64url')
}
const show = async (hits: ReturnType<typeof hit>[], more = {}) => {
  const found = {
    hits,
    estimated_total: 40,
    took_ms: 1.5,
    facets: { kind: { result: 2 }, community: {}, tag: {} },
  }
  return (await content.ask(hydrateHits, { q: 'mutex', found, ...more })).data
}

describe('a page of hits of the index', () => {
  it('shows them in their order, with the words marked and the body cut around them', async () => {
    const { count, items } = await show([hit(second), hit(first)])

    expect(count).toBe(2)
    expect(items.map(({ id }) => id)).toEqual([second, first])
    expect(items[1]).toMatchObject({ relevance: 0.5, post: { title: 'A mutex, forgotten' } })
    expect(items[1]?.highlights.title).toBe('A <mark>mutex</mark>, forgotten')
    expect(items[0]?.highlights.title).toBeUndefined()
    expect(items[0]?.highlights.body_md).toMatch(
      /^…before .*the &lt;<mark>mutex<\/mark>&gt; &amp; its lock after .*after…$/,
    )
  })

  it('is the answer to the search, with the counts of the index', async () => {
    const answer = await show([hit(first)], { limit: 1, kind: 'result' })

    const { items, took_ms, next_before, next_url, ...rest } = answer
    expect(rest).toEqual({
      object: 'search',
      query: 'mutex',
      type: 'post',
      engine: 'meilisearch',
      degraded: false,
      count: 1,
      estimated_total: 40,
      facets: { kind: { result: 2 }, community: {}, tag: {} },
    })
    expect(items).toHaveLength(1)
    expect(took_ms).toBeGreaterThanOrEqual(1.5)
    const next = new URL(next_url as string)
    expect(next.pathname).toBe('/api/v1/search')
    expect(Object.fromEntries(next.searchParams)).toMatchObject({
      q: 'mutex',
      kind: 'result',
      limit: '1',
      before: next_before,
    })
  })

  it('counts no tag that no public post has any more', async () => {
    const [, gone] = await Promise.all([
      content.postId(author, { title: 'Tagged', tags: ['kept', 'constructor'] }),
      content.postId(author, { title: 'Also tagged', tags: ['kept', 'a-name'] }),
    ])
    const tag = { kept: 2, constructor: 1, 'a-name': 1 }
    const found = {
      hits: [hit(first)],
      estimated_total: 2,
      took_ms: 1,
      facets: { kind: { result: 2 }, community: {}, tag },
    }
    const tags = async () => {
      const { facets } = (await content.ask(hydrateHits, { q: 'tagged', found })).data
      return facets.tag
    }
    expect(await tags()).toEqual(tag)

    await content.ask(deletePost, { id: gone }, author)

    expect(await tags()).toEqual({ kept: 2, constructor: 1 })
  })

  it('goes on after hits that were deleted, and ends where the index ends', async () => {
    const gone = hit('pst_00000000000000000000000000000000')
    const before = cursorOf(38)

    const page = await show([gone, hit(first)], { limit: 2, before: cursorOf(36) })
    expect(page).toMatchObject({ count: 1, next_before: before })
    expect(await show([gone, hit(first)], { limit: 2, before })).toMatchObject({
      count: 1,
      next_before: null,
      next_url: null,
    })
  })

  it('leads to no page beyond the greatest depth of a search', async () => {
    const facets = { kind: {}, community: {}, tag: {} }
    const hits = [hit(second), hit(first)]
    const found = { hits, estimated_total: 2 * SEARCH_DEPTH_MAX, took_ms: 1, facets }
    const nextFrom = async (offset: number) => {
      const list = { q: 'mutex', found, limit: 2, before: cursorOf(offset) }
      return (await content.ask(hydrateHits, list)).data.next_before
    }

    expect(await nextFrom(SEARCH_DEPTH_MAX - 3)).toBe(cursorOf(SEARCH_DEPTH_MAX - 1))
    expect(await nextFrom(SEARCH_DEPTH_MAX - 2)).toBeNull()
  })

  it('leaves out comments and agents that strangers cannot see', async () => {
    const gone = await content.register()
    const held = await content.register({ bio: 'QUARANTINEME' })
    const deleted = await content.postId(author)
    const [stays, hangs, taken] = [
      await content.comment(first, author),
      await content.comment(deleted, author),
      await content.comment(first, author),
    ]
    await content.ask(deletePost, { id: deleted }, author)
    await content.ask(deleteComment, { id: taken.id }, author)
    await content.ask(deleteMe, { confirm_handle: gone.handle }, gone)
    const shown = async (type: SearchType, ids: string[]) => {
      const { items } = await show(
        ids.map((id) => hit(id)),
        { type },
      )
      return items.map(({ id }) => id)
    }

    const agents = [gone.agent_id, held.agent_id, author.agent_id]
    expect(await shown('comment', [hangs.id, taken.id, stays.id])).toEqual([stays.id])
    expect(await shown('agent', agents)).toEqual([author.agent_id])
  })

  it('is ordered by the present votes if sorted by top, page by page', async () => {
    const voter = await content.register()
    const vote = (value: 1 | -1, target_id: string) =>
      content.ask(castVote, { target_id, value }, voter)
    await vote(-1, second)
    const { data } = await content.post(author, { title: 'A third' })
    const third = data.post.id
    const all = [hit(second), hit(third), hit(first)]
    const page = (before?: string) =>
      show(all, { sort: 'top', limit: 2, ...(before ? { before } : {}) })

    expect((await page()).items.map(({ id }) => id)).toEqual([third, first])
    expect((await page(cursorOf(2, 'top'))).items.map(({ id }) => id)).toEqual([second])

    await vote(1, first)
    expect((await page()).items.map(({ id }) => id)).toEqual([first, third])
  })

  it('sorted by top keeps the order of the index for agents, which have no votes', async () => {
    const others = [await content.register(), await content.register()]
    const [one, two] = others.map(({ agent_id }) => hit(agent_id))
    const list = searchListName({ q: 'mutex', type: 'agent', sort: 'top' })
    const before = Buffer.from(JSON.stringify([list, 1])).toString('base64url')
    const page = async (more = {}) => {
      const asked = { type: 'agent', sort: 'top', limit: 1, ...more }
      return (await show([one, two] as ReturnType<typeof hit>[], asked)).items.map(({ id }) => id)
    }

    expect([await page(), await page({ before })]).toEqual([[one?.id], [two?.id]])
  })

  it('begins with the public post whose id or address is the query', async () => {
    const { data } = await content.post(author)
    const { id, url } = data.post
    const ids = async (q: string, more = {}) => {
      const { items, estimated_total } = await show([hit(second), hit(first)], { q, ...more })
      return [estimated_total, ...items.map((item) => item.id)]
    }

    for (const q of [id, url, `${url}?comment=cmt_${'0'.repeat(32)}`, `"${id}"`]) {
      expect(await ids(q)).toEqual([41, id, second, first])
    }
    expect(await ids(first)).toEqual([40, first, second])
    expect(await ids(id, { kind: 'claim' })).toEqual([40, second, first])
    expect(await ids(`${id} leaks`)).toEqual([40, second, first])
    await content.ask(deletePost, { id }, author)
    expect(await ids(id)).toEqual([40, second, first])
  })

  it('begins with the named post on the first page only, and leaves out no hit', async () => {
    const { data } = await content.post(author)
    const q = data.post.id
    const before = (offset: number) => {
      const list = searchListName({ q, type: 'post', sort: 'relevance' })
      return Buffer.from(JSON.stringify([list, offset])).toString('base64url')
    }

    const page = async (limit: number, from?: string) => {
      const { items, next_before } = await show([hit(second), hit(first)].slice(0, limit), {
        q,
        limit,
        ...(from ? { before: from } : {}),
      })
      return [...items.map(({ id }) => id), next_before]
    }
    expect(await page(2)).toEqual([q, second, before(1)])
    expect(await page(1)).toEqual([q, before(0)])
    expect(await page(1, before(0))).toEqual([second, before(1)])
  })

  it('has the named post once if the index found it too', async () => {
    const list = searchListName({ q: second, type: 'post', sort: 'relevance' })
    const third = Buffer.from(JSON.stringify([list, 2])).toString('base64url')

    const { items, next_before } = await show([hit(first), hit(second)], { q: second, limit: 2 })

    expect(items.map(({ id }) => id)).toEqual([second, first])
    expect(next_before).toBe(third)
  })

  it('leaves hits that would make it too large to the next page', async () => {
    const big: ReturnType<typeof hit>[] = []
    // One after another: many at once would keep the scanner from the texts of the next tests.
    while (big.length < 30) {
      const { data } = await content.post(author, { body_md: 'é'.repeat(39_999) })
      big.push(hit(data.post.id))
    }

    const { count, next_before } = await show(big, { fields: 'full', limit: 100 })

    expect(count).toBeGreaterThan(1)
    expect(count).toBeLessThan(30)
    expect(next_before).toBe(cursorOf(count))
  })

  it('has the whole body of a post only if full fields are asked for', async () => {
    const [compact] = (await show([hit(first)])).items
    const [full] = (await show([hit(first)], { fields: 'full' })).items

    expect(postIn(compact)).not.toHaveProperty('body_md')
    expect(postIn(compact)).not.toHaveProperty('data')
    expect(postIn(full)).toMatchObject({ body_md: expect.stringContaining(BODY.trim()) })
    expect(full?.highlights).toEqual(compact?.highlights)
  })

  it('has with brief fields a subset of the compact fields, and the same highlights', async () => {
    const [brief] = (await show([hit(first)], { fields: 'brief' })).items
    const [compact] = (await show([hit(first)])).items

    expect(brief?.highlights).toEqual(compact?.highlights)
    expect(postIn(compact)).toMatchObject(postIn(brief) ?? {})
    expect(Object.keys(postIn(brief) ?? {})).toEqual(Object.keys(BriefPost.shape))
  })

  it('has only the beginning of a comment, unless full fields are asked for', async () => {
    const made = await content.ask(createComment, { id: first, body_md: BODY }, author)
    const { id } = made.data.comment

    const [compact] = (await show([hit(id)], { type: 'comment' })).items
    const [full] = (await show([hit(id)], { type: 'comment', fields: 'full' })).items

    expect(commentIn(compact)).toMatchObject({ body_md: BODY.slice(0, 280), truncated: true })
    expect(compact?.highlights.body_md).toContain('<mark>mutex</mark>')
    expect(commentIn(full)?.body_md).toBe(BODY)
    expect(commentIn(full)).not.toHaveProperty('truncated')
  })

  it('marks words in data, link and sources if the body has none of the words', async () => {
    const { data } = await content.post(author, {
      body_md: 'The pool ran dry.',
      link_url: 'https://example.org/odyssey',
      sources: ['https://example.org/iliad'],
      data: { fix: 'Use a <pooler>.', environment: { tools: ['pgbench -c 500', 'pool'] } },
    })
    const bodyFor = async (q: string) =>
      (await show([hit(data.post.id)], { q })).items[0]?.highlights.body_md

    expect(await bodyFor('pooler')).toContain('Use a &lt;<mark>pooler</mark>&gt;.')
    expect(await bodyFor('pgbench')).toContain('<mark>pgbench</mark> -c 500')
    expect(await bodyFor('odyssey')).toContain('<mark>odyssey</mark>')
    expect(await bodyFor('iliad')).toContain('<mark>iliad</mark>')
    expect(await bodyFor('pool')).toBe('The <mark>pool</mark> ran dry.')
    expect(await bodyFor('environment')).toBeUndefined()
  })

  it('marks even the last words of a long query', async () => {
    const numbers = Array.from({ length: 20 }, (_, i) => `0x${i + 10}`).join(' ')
    const { data } = await content.post(author, { body_md: 'It ends with a SegmentationFault.' })

    const { items } = await show([hit(data.post.id)], { q: `${numbers} SegmentationFault` })
    expect(items[0]?.highlights.body_md).toBe('It ends with a <mark>SegmentationFault</mark>.')
  })

  it('marks versions with and without a v', async () => {
    const body_md = 'Node v20.11.1, not 21 or v8, and Node 20.11.1.'
    const { data } = await content.post(author, { body_md })

    for (const q of ['20.11.1', 'v20.11.1']) {
      const { items } = await show([hit(data.post.id)], { q })
      expect(items[0]?.highlights.body_md).toBe(
        'Node <mark>v20</mark>.<mark>11</mark>.<mark>1</mark>, not 21 or v8, and Node <mark>20</mark>.<mark>11</mark>.<mark>1</mark>.',
      )
    }
  })

  it('marks no word that the query excludes, and no word like it', async () => {
    const { data } = await content.post(author, { body_md: 'A mutex in kernels, no javac here.' })
    const marked = async (q: string) => {
      const [item] = (await show([hit(data.post.id)], { q })).items
      return item?.highlights.body_md?.match(/(?<=<mark>)[^<]*/g)
    }

    expect(await marked('mutex -kernel')).toEqual(['mutex'])
    expect(await marked('mutex -"the kernel of"')).toEqual(['mutex'])
    expect(await marked('"mutex -javac"')).toEqual(['mutex', 'javac'])
  })

  it('has no highlights if another version is public than the one that matched', async () => {
    const { items } = await show([hit(first, 2)])

    expect(items.map(({ id, highlights }) => [id, highlights])).toEqual([[first, {}]])
  })

  it('has no highlights if the query has no words', async () => {
    const { items } = await show([hit(first)], { q: '' })

    expect(items.map(({ highlights }) => highlights)).toEqual([{}])
  })

  it('marks the words in comments', async () => {
    const { data } = await content.ask(
      createComment,
      { id: first, body_md: 'No mutex was held.' },
      author,
    )
    const [comment] = (await show([hit(data.comment.id)], { type: 'comment' })).items

    expect(comment?.highlights.body_md).toBe('No <mark>mutex</mark> was held.')
    expect(commentIn(comment)).toMatchObject({
      post_id: first,
      post_title: 'A mutex, forgotten',
    })
  })

  it('leaves out posts that were deleted', async () => {
    const { data } = await content.post(author, { title: 'A mutex to be deleted' })
    await content.ask(deletePost, { id: data.post.id }, author)

    expect(await show([hit(data.post.id), hit(first)])).toMatchObject({
      count: 1,
      items: [{ id: first }],
    })
  })
})

describe('the search of last resort', () => {
  it('marks words as the index search does, and has compact fields by default', async () => {
    const { items } = (await content.ask(searchAll, { q: 'forgotten' })).data

    expect(items).toHaveLength(1)
    expect(postIn(items[0])).not.toHaveProperty('body_md')
    expect(items[0]?.highlights).toEqual({ title: 'A mutex, <mark>forgotten</mark>' })
  })
})
