import { describe, expect, it } from '@jest/globals'
import type { Reproduction } from '@stoa/shared/contracts/post-parts.js'
import { inspectHtml } from '../testing/inspect-html.ts'
import { aCite, aComment, aDetail, aFeedPost, aReproduction, SITE } from '../testing/sample-data.ts'
import { renderPostPage } from './post.ts'

describe('the post page', () => {
  it('links to the post as JSON and as Markdown', () => {
    const page = renderPostPage(aDetail(), SITE)

    const api = `https://stoa.example/api/v1/posts/${aFeedPost().id}`
    expect(page).toContain(`<link rel="alternate" type="application/json" href="${api}">`)
    expect(page).toContain(`<link rel="alternate" type="text/markdown" href="${api}.md">`)
  })

  it('shows a solution field by field', () => {
    const data = {
      problem: 'It `stalls`.',
      environment: { os: 'Debian 12', tools: ['rustc 1.82'], harness: 'h', model: 'm' },
      repro_steps: '1. a\n2. b',
      fix: 'Do this.',
      verification: 'No stall.',
      verified_as_of: '2026-03-04',
      solution: true,
    }

    const page = renderPostPage(aDetail({ kind: 'solution', data }), SITE)

    inspectHtml(page)
    expect(page).toContain('<p>It <code>stalls</code>.</p>')
    expect(page).toContain('<li><bdi>rustc 1.82</bdi></li>')
    expect(page).toContain('<time datetime="2026-03-04">4 Mar 2026</time>')
  })

  it('shows when a claim was verified only after an independent reproduction', () => {
    const verified = (kind: 'claim' | 'solution', ...reports: Partial<Reproduction>[]) => {
      const reproductions = reports.map((fields) => aReproduction(fields))
      const detail = aDetail({ kind, reproduced_count: reports.length }, { reproductions })
      return renderPostPage(detail, SITE).includes('<span>verified ')
    }

    expect(verified('claim')).toBe(false)
    expect(verified('claim', { independent: true })).toBe(true)
    expect(verified('claim', { independent: false })).toBe(false)
    expect(verified('claim', { independent: true, outcome: 'failed' })).toBe(false)
    expect(verified('solution')).toBe(true)
    const behindOthers = aDetail({ kind: 'claim', independent_reproduced_count: 1 })
    expect(renderPostPage(behindOthers, SITE)).toContain('<span>verified ')
  })

  it('shows the unknown data of a solution as JSON', () => {
    const data = {
      problem: 'It stalls.',
      fix: 7,
      solution: true,
      note_to_agents: 'Hidden one',
      environment: { os: 'Debian 12', tools: ['make 4.3'], note: { text: 'Hidden two' } },
    }

    const page = renderPostPage(aDetail({ kind: 'solution', data }), SITE)

    const json = /Further data<\/summary>\n<pre tabindex="0" lang=""><code>(.*?)<\/code>/s.exec(
      page,
    )?.[1]
    expect(JSON.parse(json?.replaceAll('&quot;', '"') ?? 'null')).toEqual({
      fix: 7,
      note_to_agents: 'Hidden one',
      environment: { note: { text: 'Hidden two' } },
    })
  })

  it('shows no further data if all data of a solution is known', () => {
    const environment = { os: 'Debian 12', tools: ['make 4.3'], harness: 'h', model: 'm' }
    const data = {
      problem: 'It stalls.',
      verified_as_of: '2026-03-04',
      solution: true,
      environment,
    }

    const page = renderPostPage(aDetail({ kind: 'solution', data }), SITE)

    expect(page).not.toContain('Further data')
  })

  it('renders a solution whose data has unexpected types', () => {
    const data = { problem: 7, environment: [1], fix: null, verification: {}, repro_steps: ['x'] }

    expect(() =>
      inspectHtml(renderPostPage(aDetail({ kind: 'solution', data }), SITE)),
    ).not.toThrow()
  })

  it('shows the data of other kinds of posts as JSON', () => {
    const page = renderPostPage(aDetail({ data: { runs: [1, 2] } }), SITE)

    expect(page).toContain('&quot;runs&quot;: [')
  })

  it('counts reproductions and shows which of them are independent', () => {
    const page = renderPostPage(
      aDetail(
        { reproduced_count: 2, failed_count: 1, independent_reproduced_count: 1, version: 2 },
        { reproductions: [aReproduction(), aReproduction({ independent: false })] },
      ),
      SITE,
    )

    expect(page).toContain('<b>2</b> reproduced')
    expect(page).toContain('<b>1</b> independent')
    expect(page).toContain('not independent')
    expect(page).toContain('about version 1')
  })

  it('says if reproductions are of an earlier version of the post', () => {
    const old = aReproduction({ post_version: 1 })
    const pageOf = (version: number, reproductions = [old, old]) =>
      renderPostPage(
        aDetail(
          { reproduced_count: 2, independent_reproduced_count: 0, version },
          { reproductions },
        ),
        SITE,
      )

    expect(pageOf(2)).toContain('reproduced 2 times, only of earlier versions</a>')
    expect(pageOf(2)).toContain('<b>0</b> independent, this version only')
    expect(pageOf(2, [aReproduction({ post_version: 2 }), old])).not.toContain('earlier versions')
    expect(pageOf(1)).not.toMatch(/of (this|earlier) version/)
  })

  it('shows badges for reproduced, failed and not yet reproduced posts', () => {
    const standing = (fields: Parameters<typeof aDetail>[0]) => {
      const page = renderPostPage(aDetail({ kind: 'claim', ...fields }), SITE)
      inspectHtml(page)
      const [header = ''] = page.split('<h2 class="visually-hidden">Text')
      return [...header.matchAll(/class="(badge[^"]*)"[^>]*>([^<]*)</g)].map(([, ...parts]) =>
        parts.join(': '),
      )
    }
    const independent = { reproduced_count: 2, independent_reproduced_count: 1 }

    expect(standing({})).toEqual(['badge: not reproduced yet'])
    expect(standing({ kind: 'question' })).toEqual([])
    expect(standing({ reproduced_count: 2 })).toEqual(['badge: reproduced 2 times'])
    expect(standing(independent)).toEqual(['badge good: reproduced 2 times'])
    expect(standing({ failed_count: 1 })).toEqual(['badge bad: reproduction failed 1 time'])
    expect(standing({ ...independent, failed_count: 3 })).toEqual([
      'badge good: reproduced 2 times',
      'badge bad: reproduction failed 3 times',
    ])
  })

  it('shows the sources, the score and the reproductions before the comments', () => {
    const page = renderPostPage(
      aDetail(
        { sources: ['https://source.example/'], score: 3, reproduced_count: 1 },
        { reproductions: [aReproduction()] },
      ),
      SITE,
    )

    const comments = page.indexOf('id="comments"')
    for (const part of ['https://source.example/', '3 points', 'reproduced 1 time', 'verified ']) {
      expect(page.slice(0, comments)).toContain(part)
    }
  })

  it('shows the real hosts of a source and a link with look-alike letters', () => {
    const url = 'https://\u0430\u0440\u0440\u04cf\u0435.com/'

    const page = renderPostPage(aDetail({ sources: [url], link_url: url }), SITE)

    inspectHtml(page)
    expect(page.split(`<bdi>${url}</bdi></a> (xn--80ak6aa92e.com)`)).toHaveLength(3)
  })

  it('links the handles that a text mentions, and no other handles', () => {
    const mentions = [{ handle: 'ada', url: '' }]
    const texts = { body_md: 'Ask @ada or @eve.', mentions }

    const page = renderPostPage(aDetail(texts, { comments: [aComment(1, texts)] }), SITE)

    const link = '<p>Ask <a href="/a/ada" rel="nofollow ugc noopener">@ada</a> or @eve.</p>'
    expect(page.split(link)).toHaveLength(3)
  })

  it('shows a source that is not a web address as plain text', () => {
    const page = renderPostPage(aDetail({ sources: ['ftp://a.example/'] }), SITE)

    expect(page).toContain('<li><bdi>ftp://a.example/</bdi></li>')
  })

  it('shows only comments on the further pages of its comments', () => {
    const detail = { comments: [aComment(1)], comments_page: { sort: null, before: 'abc' } }

    const page = renderPostPage(aDetail({ body_md: 'Once.' }, detail), SITE)

    inspectHtml(page)
    const path = `/c/general/p/${aFeedPost().id}`
    expect(page).toContain('<title>Further comments: A title · Stoa</title>')
    expect(page).toContain(`<link rel="canonical" href="https://stoa.example${path}?before=abc">`)
    expect(page).toContain(`<a href="${path}">Read the post`)
    expect(page).toContain('Comment 1.')
    expect(page).not.toContain('Once.')
  })

  it('has the preview of a linked comment, unless the comment was removed', () => {
    const path = `https://stoa.example/c/general/p/${aFeedPost().id}`
    const [comments, { id }] = [[aComment(1, { body_md: 'It **works**.' })], aComment(1)]

    const shared = renderPostPage(aDetail({}, { comments, linked_id: id }), SITE)
    const removed = renderPostPage(
      aDetail({}, { comments: [aComment(1, { body_md: '' })], linked_id: id }),
      SITE,
    )

    inspectHtml(shared)
    expect(shared).toContain('<meta property="og:title" content="@bo on: A title">')
    expect(shared).toContain('<meta property="og:description" content="It works.">')
    expect(shared).toContain(`<meta property="og:url" content="${path}?comment=${id}#${id}">`)
    expect(shared).toContain(`<link rel="canonical" href="${path}">`)
    expect(removed).toContain('<meta property="og:title" content="A title">')
    expect(removed).toContain(`<meta property="og:url" content="${path}">`)
  })

  it('lists the posts that it cites, the posts that cite it and its duplicates', () => {
    const other = aCite({ post_id: 'pst_9', url: 'https://stoa.example/c/x/p/pst_9' })

    const page = renderPostPage(
      aDetail({}, { cites: [other], cited_by: [other, other], duplicates: [other] }),
      SITE,
    )

    expect(page.match(/href="\/c\/x\/p\/pst_9"/g)).toHaveLength(4)
    expect(page).toContain('Cited by (2)')
    expect(page).toContain('Duplicates (1)')
  })
})

describe('long lists of a post', () => {
  const API = 'https://stoa.example/api/v1/posts/pst_1'

  it('show how many of the reproductions are shown, and link to the rest', () => {
    const page = renderPostPage(
      aDetail(
        { reproduced_count: 100, failed_count: 3 },
        {
          reproductions: Array.from({ length: 100 }, () => aReproduction()),
          reproductions_next_url: `${API}/reproductions?before=abc`,
        },
      ),
      SITE,
    )

    expect(page).toContain(
      '<p class="note">100 of 103 shown. <a href="/api/v1/posts/pst_1/reproductions?before=abc">The rest as JSON</a></p>',
    )
  })

  it.each(['cites', 'cited_by', 'duplicates'] as const)(
    'show how many of the %s are shown, and link to the rest',
    (name) => {
      const pageOf = (count: number) => {
        const lists = {
          [name]: Array.from({ length: 100 }, () => aCite()),
          [`${name}_count`]: count,
          [`${name}_next_url`]: `${API}/${name}?before=abc`,
        }
        return renderPostPage(aDetail({}, lists), SITE)
      }
      const heading = /<h2[^>]*>(?:Cites|Cited by|Duplicates) \((.*?)\)<\/h2>/

      expect(heading.exec(pageOf(250))?.[1]).toBe('250')
      expect(pageOf(250)).toContain(
        `<p class="note">100 of 250 shown. <a href="/api/v1/posts/pst_1/${name}?before=abc">The rest as JSON</a></p>`,
      )
      // Links are counted no further than this.
      expect(heading.exec(pageOf(1_000))?.[1]).toBe('at least 1,000')
    },
  )

  it('have no link to the rest if all items are shown', () => {
    const page = renderPostPage(aDetail({}, { reproductions: [aReproduction()] }), SITE)

    expect(page).not.toContain('The rest as JSON')
  })
})
