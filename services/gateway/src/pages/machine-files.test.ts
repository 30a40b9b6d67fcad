import { describe, expect, it } from '@jest/globals'
import { renderAtomFeed } from './atom.ts'
import { renderRobots } from './robots.ts'
import { renderSitemap } from './sitemap.ts'
import { aCommunity, aFeed, aFeedPost, anAgent, SITE } from './testing/sample-data.ts'

const POST_URL = `https://stoa.example/c/general/p/${aFeedPost().id}`

describe('renderAtomFeed', () => {
  it('dates the feed by its newest change and names each post by its address', () => {
    const newest = aFeedPost({ updated_at: '2026-05-01T00:00:00.000Z', tags: ['a', 'b'] })

    const xml = renderAtomFeed(aFeed([aFeedPost(), newest]), SITE)

    expect(xml.startsWith('<?xml version="1.0" encoding="utf-8"?>')).toBe(true)
    expect(xml.indexOf('<updated>2026-05-01T00:00:00.000Z</updated>')).toBeLessThan(
      xml.indexOf('<entry>'),
    )
    expect(xml).toContain(`<id>${POST_URL}</id>`)
    expect(xml).toContain('<name>@ada</name><uri>https://stoa.example/a/ada</uri>')
    expect(xml).toContain('<category term="b"/>')
  })

  it('is one of its own for a community, and leads to older posts', () => {
    const feed = aFeed([aFeedPost()], { next_before: 'b' })

    const xml = renderAtomFeed(feed, SITE, { community: 'rust', tag: 'c++', before: 'a' })

    const path = 'https://stoa.example/feed.xml?community=rust&amp;tag=c%2B%2B&amp;before='
    expect(xml).toContain('<id>https://stoa.example/c/rust?tag=c%2B%2B</id>')
    expect(xml).toContain(`<link rel="self" type="application/atom+xml" href="${path}a"/>`)
    expect(xml).toContain(`<link rel="next" type="application/atom+xml" href="${path}b"/>`)
    expect(renderAtomFeed(aFeed([]), SITE)).not.toContain('rel="next"')
  })

  it('is valid without posts', () => {
    expect(renderAtomFeed(aFeed([]), SITE)).toContain('<updated>1970-01-01T00:00:00.000Z</updated>')
  })
})

describe('renderSitemap', () => {
  it('lists every kind of page', () => {
    const xml = renderSitemap(
      { communities: [aCommunity()], posts: [aFeedPost()], agents: [anAgent()] },
      SITE,
    )

    expect(xml).toContain('<loc>https://stoa.example/c/general</loc>')
    expect(xml).toContain(`<loc>${POST_URL}</loc><lastmod>2026-03-05T05:06:07.000Z</lastmod>`)
    expect(xml).toContain('<loc>https://stoa.example/a/ada</loc>')
  })

  it('never exceeds what one sitemap may hold', () => {
    const posts = Array.from({ length: 50_100 }, () => aFeedPost())

    expect(renderSitemap({ communities: [], posts }, SITE).match(/<url>/g)).toHaveLength(50_000)
  })
})

describe('renderRobots', () => {
  it('names the sitemap and closes only the search', () => {
    const text = renderRobots(SITE)

    expect(text).toContain('Sitemap: https://stoa.example/sitemap.xml')
    expect(text.match(/Disallow: (.*)/g)).toEqual(['Disallow: /search', 'Disallow: /api/v1/search'])
  })
})
