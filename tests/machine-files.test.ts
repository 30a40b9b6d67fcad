import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PAGE_LIMIT_MAX } from '@stoa/shared/contracts/common.js'
import { SITEMAP_POSTS } from '@stoa/shared/contracts/sitemap.js'
import { request } from 'undici'
import { loadCorpus } from '../bench/corpus/load.mjs'
import { call } from './support/agent.ts'
import { type Forum, startForum } from './support/forum.ts'

/** Two full sitemaps, and one more post in a third. */
const SIZES = [SITEMAP_POSTS, SITEMAP_POSTS, 1]
const POSTS = 2 * SITEMAP_POSTS + 1

let forum: Forum
/** The sitemaps of posts that the index names, in order. */
let named: string[]
let page: string

beforeAll(async () => {
  forum = await startForum({ scanner: 0, search: 0, ranking: 0 })
  const size = { posts: POSTS, comments: 10, votes: 10, agents: 20, seed: 1 }
  await loadCorpus(forum.databaseUrl, { ...size, untilMs: Date.now() - 60_000 }, () => {})
  named = (await placesIn('/sitemap.xml')).slice(1)
  page = (await answerOf('/')).text
})

afterAll(() => forum?.stop())

/** The addresses in a sitemap or in the index of all, without that of the forum. */
async function placesIn(path: string): Promise<string[]> {
  const { status, text } = await answerOf(path)
  expect(status).toBe(200)
  const addresses = [...text.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)]
  return addresses.map(([, place = '']) => place.replaceAll('&amp;', '&'))
}

/** An attribute of the one tag of the page that begins with these words. */
function attribute(tag: string, name: string): string {
  const found = page.split(`<${tag}`)[1]?.split('>')[0]
  return found?.split(`${name}="`)[1]?.split('"')[0] ?? ''
}

const answerOf = (path: string) => call('GET', forum.url + path)

/** Splits an absolute address into that of the forum and what follows. */
function split(address: string): string[] {
  return /^(https?:\/\/[^/]+)(\/.*)$/.exec(address)?.slice(1) ?? []
}

async function bytesOf(path: string) {
  const { headers, body } = await request(forum.url + path)
  const { 'content-type': type, 'cache-control': cacheControl } = headers
  return { type, cacheControl, bytes: Buffer.from(await body.arrayBuffer()) }
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
      const { status, headers } = await answerOf(`/sitemap-posts.xml${query}`)
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

    const { text } = await answerOf('/feed.xml')

    const entries = [...text.matchAll(/<id>[^<]*\/p\/(pst_[0-9a-f]+)<\/id>/g)]
    expect(entries.map(([, id]) => id)).toEqual(rows.map(({ id }) => id))
  })
})

describe('the files beside pages', () => {
  it('include a style sheet that is cached for good at the address that pages name', async () => {
    const { status, headers, text } = await answerOf(attribute('link rel="stylesheet"', 'href'))

    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(text).toContain('--ground')
  })

  it.each(['/style.css', '/style.css?v=0123456789ab'])(
    'include a style sheet that is revalidated at %s',
    async (path) => {
      const named = await answerOf(attribute('link rel="stylesheet"', 'href'))
      const { headers, text } = await answerOf(path)

      expect(headers['cache-control']).toBe('public, no-cache')
      expect(text).toBe(named.text)
    },
  )

  it('include a favicon.ico that is cached for a day', async () => {
    const { type, cacheControl, bytes } = await bytesOf('/favicon.ico')

    expect([type, cacheControl]).toEqual(['image/x-icon', 'public, max-age=86400'])
    // The file has one image, which begins where the directory ends and is as long as the directory
    // says.
    expect([...bytes.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0])
    expect(bytes.readUInt32LE(18)).toBe(22)
    expect(bytes.readUInt32LE(14)).toBe(bytes.length - 22)
    expect(bytes.toString('latin1', 23, 26)).toBe('PNG')
  })

  it('include a picture for previews of links, at an absolute address', async () => {
    const [here = '', path = ''] = split(attribute('meta property="og:image"', 'content'))
    const { type, bytes } = await bytesOf(path)

    expect(here).toBe(split(attribute('link rel="canonical"', 'href'))[0])
    expect(type).toBe('image/png')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([512, 512])
    expect(bytes.length).toBeLessThan(4_096)
  })

  it('include the same picture without transparency for telephones', async () => {
    const { type, cacheControl, bytes } = await bytesOf('/apple-touch-icon.png')

    expect([type, cacheControl]).toEqual(['image/png', 'public, max-age=86400'])
    expect(bytes).toEqual((await bytesOf('/icon.png')).bytes)
    // RGB without transparency, which telephones would show as black.
    expect(bytes[25]).toBe(2)
  })

  it('include a description of the search that works for words of any script', async () => {
    const { headers, text } = await answerOf(attribute('link rel="search"', 'href'))
    const [, template = ''] = /type="text\/html" template="([^"]+)"/.exec(text) ?? []
    const [here, path = ''] = split(template)
    const found = await answerOf(path.replace('{searchTerms}', encodeURIComponent('بناء & b')))

    expect(headers['content-type']).toMatch(/^application\/opensearchdescription\+xml/)
    expect(here).toBe(split(attribute('link rel="canonical"', 'href'))[0])
    expect(found.text).toContain('<title>Search: بناء &amp; b')
  })
})
