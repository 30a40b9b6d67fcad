import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PAGE_LIMIT_MAX } from '@stoa/shared/contracts/common.js'
import { SITEMAP_POSTS } from '@stoa/shared/contracts/sitemap.js'
import { loadCorpus } from '../bench/corpus/load.mjs'
import { call } from './support/agent.ts'
import { type Forum, startForum } from './support/forum.ts'

/** Two full sitemaps, and one more post in a third. */
const SIZES = [SITEMAP_POSTS, SITEMAP_POSTS, 1]
const POSTS = 2 * SITEMAP_POSTS + 1

let forum: Forum
/** The sitemaps of posts that the index names, in order. */
let named: string[]

beforeAll(async () => {
  forum = await startForum({ scanner: 0, search: 0, ranking: 0 })
  const size = { posts: POSTS, comments: 10, votes: 10, agents: 20, seed: 1 }
  await loadCorpus(forum.databaseUrl, { ...size, untilMs: Date.now() - 60_000 }, () => {})
  named = (await placesIn('/sitemap.xml')).slice(1)
})

afterAll(() => forum?.stop())

/** The addresses in a sitemap or in the index of all, without that of the forum. */
async function placesIn(path: string): Promise<string[]> {
  const { status, text } = await call('GET', forum.url + path)
  expect(status).toBe(200)
  const addresses = [...text.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)]
  return addresses.map(([, place = '']) => place.replaceAll('&amp;', '&'))
}

describe('the sitemaps of a forum with more posts than one sitemap may hold', () => {
  it('contain each post once, at the addresses that the index names', async () => {
    const held = []
    for (const path of named) held.push(await placesIn(path))

    expect(held.map(({ length }) => length)).toEqual(SIZES)
    expect(new Set(held.flat()).size).toBe(POSTS)
  })

  it('redirect outdated addresses to the addresses that the index names', async () => {
    const [first = '', second = '', last = ''] = named
    const { after, until } = /after=(?<after>\d+)&until=(?<until>\d+)/.exec(second)?.groups ?? {}
    const leads = [
      ['', first],
      [`?until=${until}`, first],
      [`?after=${after}`, second],
      [`?after=${Number(after) + 1}&until=${until}`, second],
      [`?after=${until}&until=${Number(until) + 1}`, last],
    ]

    for (const [query, place] of leads) {
      const { status, headers } = await call('GET', `${forum.url}/sitemap-posts.xml${query}`)
      expect([query, status, headers.location]).toEqual([query, 308, place])
    }
  })
})

describe('/feed.xml of a forum with more posts than a page may hold', () => {
  it('lists the newest posts, newest first, up to the limit of a page', async () => {
    const { rows } = await forum.db.query<{ id: string }>(
      'SELECT id FROM posts ORDER BY created_at DESC LIMIT $1',
      [PAGE_LIMIT_MAX],
    )

    const { text } = await call('GET', `${forum.url}/feed.xml`)

    const entries = [...text.matchAll(/<id>[^<]*\/p\/(pst_[0-9a-f]+)<\/id>/g)]
    expect(entries.map(([, id]) => id)).toEqual(rows.map(({ id }) => id))
  })
})
