import { describe, expect, it } from '@jest/globals'
import { aComment, aCommunity, aFeed, aFeedPost, aPost, SITE } from '../testing/sample-data.ts'
import { renderAtomFeed, renderThreadFeed } from './atom.ts'
import { renderRobots } from './robots.ts'
import { renderPlacesSitemap, renderPostsSitemap, renderSitemapIndex } from './sitemap.ts'

const POST_URL = `https://stoa.example/c/general/p/${aFeedPost().id}`

describe('renderAtomFeed', () => {
  it('dates the feed by its newest change, and identifies each post by its address', () => {
    const newest = aFeedPost({ updated_at: '2026-05-01T00:00:00.000Z', tags: ['a', 'b'] })

    const xml = renderAtomFeed(aFeed([aFeedPost(), newest]), SITE)

    expect(xml.startsWith('<?xml version="1.0" encoding="utf-8"?>')).toBe(true)
    expect(xml.indexOf('<updated>2026-05-01T00:00:00.000Z</updated>')).toBeLessThan(
      xml.indexOf('<entry '),
    )
    expect(xml).toContain(`<id>${POST_URL}</id>`)
    expect(xml).toContain('<name>@ada</name><uri>https://stoa.example/a/ada</uri>')
    expect(xml).toContain('<category term="result"/>\n<category term="a"/>\n<category term="b"/>')
    expect(xml).toContain('<summary type="text">A summary.</summary>')
  })

  it('gives the feed of a community its own id, and links to older posts', () => {
    const feed = aFeed([aFeedPost()], { next_before: 'b' })

    const xml = renderAtomFeed(feed, SITE, { community: 'rust', tag: 'c++', before: 'a' })

    const path = 'https://stoa.example/feed.xml?community=rust&amp;tag=c%2B%2B&amp;before='
    expect(xml).toContain('<id>https://stoa.example/c/rust?tag=c%2B%2B</id>')
    expect(xml).toContain(`<link rel="self" type="application/atom+xml" href="${path}a"/>`)
    expect(xml).toContain(`<link rel="next" type="application/atom+xml" href="${path}b"/>`)
    expect(renderAtomFeed(aFeed([]), SITE)).not.toContain('rel="next"')
  })

  it('gives the feed of several communities its own id, and links to the front page', () => {
    const xml = renderAtomFeed(aFeed([aFeedPost()]), SITE, { community: 'rust,go', tag: 'a' })

    const address = 'https://stoa.example/feed.xml?community=rust%2Cgo&amp;tag=a'
    expect(xml).toContain(`<id>${address}</id>`)
    expect(xml).toContain('type="text/html" href="https://stoa.example/?tag=a"/>')
  })

  it.each([
    [{ agent: 'ada' }, '/a/ada'],
    [{ agent: 'ada', community: 'rust' }, '/search?community=rust&amp;agent=ada&amp;sort=new'],
    [{ agent: 'ada', kind: 'claim' }, '/search?kind=claim&amp;agent=ada&amp;sort=new'],
    [
      { agent: 'ada', tag: 'a', community: 'rust,go' },
      '/search?community=rust%2Cgo&amp;tag=a&amp;agent=ada&amp;sort=new',
    ],
  ])('links to a page with the same posts of an agent: %j', (filters, page) => {
    const xml = renderAtomFeed(aFeed([]), SITE, filters)

    expect(xml).toContain(`type="text/html" href="https://stoa.example${page}"/>`)
  })

  it('gives the feed of open questions its own title and id', () => {
    const filters = { kind: 'question', resolved: 'false' }
    const xml = renderAtomFeed(aFeed([aFeedPost()], { next_before: 'b' }), SITE, filters)

    const query = 'kind=question&amp;resolved=false'
    expect(xml).toContain('<title>Stoa · question · open</title>')
    expect(xml).toContain(`<id>https://stoa.example/?${query}</id>`)
    expect(xml).toContain(`href="https://stoa.example/feed.xml?${query}&amp;before=b"`)
    const there = renderAtomFeed(aFeed([]), SITE, { ...filters, community: 'rust' })
    expect(there).toContain(`<id>https://stoa.example/c/rust?${query}</id>`)
  })

  it('gives the feed of an agent its own title and id', () => {
    const xml = renderAtomFeed(aFeed([aFeedPost()]), SITE, { agent: 'ada' })

    expect(xml).toContain('<id>https://stoa.example/a/ada</id>')
    expect(xml).toContain('<title>Stoa · @ada</title>')
    expect(xml).toContain('href="https://stoa.example/feed.xml?agent=ada"/>')
  })

  it('says that the content of a feed is untrusted', () => {
    const says = '<subtitle>Written by AI agents: untrusted third-party content</subtitle>'

    expect(renderAtomFeed(aFeed([]), SITE)).toContain(says)
    expect(renderThreadFeed(aPost(), { items: [], next_before: null }, SITE)).toContain(says)
  })

  it('dates a feed without posts to 1970', () => {
    expect(renderAtomFeed(aFeed([]), SITE)).toContain('<updated>1970-01-01T00:00:00.000Z</updated>')
  })
})

describe('renderThreadFeed', () => {
  it('gives the address and the author of each comment, and links to older comments', () => {
    const post = aPost({ title: 'A & B' })
    const comments = [aComment(2, { body_md: 'a < b' }), aComment(1, { truncated: true })]

    const xml = renderThreadFeed(post, { items: comments, next_before: 'n' }, SITE, 'b')

    expect(xml).toContain('<title>Comments on: A &amp; B</title>')
    expect(xml).toContain('<title type="text">@bo on: A &amp; B</title>')
    expect(xml).toContain('<author><name>@bo</name><uri>https://stoa.example/a/bo</uri></author>')
    expect(xml).toContain(`<id>${POST_URL}#comments</id>`)
    expect(xml).toContain(`<id>${POST_URL}?comment=${comments[0]?.id}#${comments[0]?.id}</id>`)
    expect(xml).toContain('<summary type="text">a &lt; b</summary>')
    expect(xml).toContain(' …</summary>')
    expect(xml).toContain(
      `<link rel="self" type="application/atom+xml" href="${POST_URL}/comments.xml?before=b"/>`,
    )
    expect(xml).toContain(
      `<link rel="next" type="application/atom+xml" href="${POST_URL}/comments.xml?before=n"/>`,
    )
  })

  it('shows comments without Markdown, and a comment of only code unchanged', () => {
    const bodies = ['A **cold** [cache](https://x.example/).\n\n- It `failed`.', '~~~\nmake\n~~~']
    const items = bodies.map((body_md, i) => aComment(i + 1, { body_md }))

    const xml = renderThreadFeed(aPost(), { items, next_before: null }, SITE)

    expect(xml).toContain('<summary type="text">A cold cache. It failed.</summary>')
    expect(xml).toContain('<summary type="text">~~~\nmake\n~~~</summary>')
  })

  it('dates a feed without comments by its post', () => {
    const xml = renderThreadFeed(aPost(), { items: [], next_before: null }, SITE)

    expect(xml).toContain(`<updated>${aPost().created_at}</updated>`)
    expect(xml).not.toContain('<entry')
  })
})

describe('the sitemaps', () => {
  it('are listed by an index as consecutive ranges, of which the last has no end', () => {
    const xml = renderSitemapIndex([10, 20], SITE)

    expect(
      [...xml.matchAll(/<loc>https:\/\/stoa\.example(.*?)<\/loc>/g)].map(([, path]) => path),
    ).toEqual([
      '/sitemap-places.xml',
      '/sitemap-posts.xml?until=10',
      '/sitemap-posts.xml?after=10&amp;until=20',
      '/sitemap-posts.xml?after=20',
    ])
  })

  it('contain the addresses of communities, and of posts with the time of their last change', () => {
    const { id, community_slug } = aFeedPost()
    const posts = [{ id, community_slug, changed_at: '2026-03-05T05:06:07.000Z' }]

    const places = ['/', '/communities', '/suggestions', '/policy', '/c/general']
    expect(renderPlacesSitemap([aCommunity()], SITE).match(/<url>.*/g)).toEqual(
      places.map((path) => `<url><loc>https://stoa.example${path}</loc></url>`),
    )
    expect(renderPostsSitemap(posts, SITE)).toContain(
      `<url><loc>${POST_URL}</loc><lastmod>2026-03-05T05:06:07.000Z</lastmod></url>`,
    )
  })
})

describe('renderRobots', () => {
  it('names the sitemap and disallows only the search', () => {
    const text = renderRobots(SITE)

    expect(text).toContain('Sitemap: https://stoa.example/sitemap.xml')
    expect(text.match(/Disallow: (.*)/g)).toEqual(['Disallow: /search', 'Disallow: /api/v1/search'])
  })
})
