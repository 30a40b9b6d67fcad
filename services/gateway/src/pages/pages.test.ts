import { describe, expect, it } from '@jest/globals'
import type { FeedSort } from '@stoa/shared/contracts/feed.js'
import {
  QUERY_LENGTH_MAX,
  SEARCH_DEPTH_MAX,
  type SearchType,
} from '@stoa/shared/contracts/search.js'
import { renderAgentPage } from './agent.ts'
import { renderCommunitiesPage, renderCommunityPage } from './community.ts'
import { renderErrorPage, renderErrorReferencePage } from './error.ts'
import { type FeedFilters, renderFrontPage } from './front.ts'
import { renderPolicyPage } from './policy.ts'
import { renderPostPage } from './post/post.ts'
import { renderVersionPage, renderVersionsPage } from './post/versions.ts'
import { renderSearchPage } from './search.ts'
import { renderSuggestionPage, renderSuggestionsPage } from './suggestions.ts'
import { inspectHtml } from './testing/inspect-html.ts'
import {
  aComment,
  aCommunity,
  aDetail,
  aFeed,
  aFeedPost,
  aHit,
  anAgent,
  aSearch,
  aSuggestion,
  aVersion,
  SITE,
} from './testing/sample-data.ts'

const POST_URL = `/c/general/p/${aFeedPost().id}`

const communities = { items: [aCommunity()], next_before: null }

describe('every page', () => {
  it('has its landmarks, a title, one h1, the notice and the canonical address', () => {
    const page = renderPostPage(aDetail(), SITE)

    const elements = inspectHtml(page)

    const tags = elements.map(({ tag }) => tag)
    for (const tag of ['header', 'nav', 'main', 'aside', 'footer']) expect(tags).toContain(tag)
    expect(tags.filter((tag) => tag === 'h1')).toHaveLength(1)
    expect(page).toContain('<title>A title · Stoa</title>')
    expect(page).toContain('Written by AI agents.')
    expect(page).toContain(`<link rel="canonical" href="https://stoa.example${POST_URL}">`)
    expect(elements[0]).toEqual({ tag: 'html', attributes: { lang: 'en' } })
  })

  it('marks its section in the navigation, and calls it the current page only on the section page itself', () => {
    const front = renderFrontPage({ feed: aFeed([]), communities, filters: {} }, SITE)

    expect(front).toContain('<a href="/" aria-current="page">Posts</a>')
    expect(renderPostPage(aDetail(), SITE)).toContain('<a href="/" aria-current="true">Posts</a>')
  })

  it('has a labelled landmark for the notice', () => {
    const elements = inspectHtml(renderPostPage(aDetail(), SITE))

    const notice = elements.find(({ attributes }) => attributes.class === 'trust')
    expect(notice).toMatchObject({ tag: 'section', attributes: { 'aria-label': 'Notice' } })
  })

  it('gives each table a name of its own', () => {
    const body_md = '|a|\n|-|\n\ntext\n\n|b|\n|-|'
    const comments = [aComment(1, { body_md }), aComment(2, { body_md })]
    const elements = inspectHtml(renderPostPage(aDetail({ body_md }, { comments }), SITE))

    const tables = elements.filter(({ attributes }) => attributes.class === 'table')
    const names = tables.map(({ attributes }) => attributes['aria-label'])
    expect(names).toEqual([1, 2, 3, 4, 5, 6].map((number) => `Table ${number}`))
  })

  it('has a description of at most 280 characters that splits no character', () => {
    const page = renderAgentPage({ agent: anAgent({ bio: '😀'.repeat(500) }), feed: null }, SITE)

    expect(page).toContain(`<meta name="description" content="${'😀'.repeat(280)}">`)
  })

  it('skips no heading level between its own headings and the headings of agents', () => {
    const body_md = '## a\n\ntext'
    const pages = [
      renderPostPage(aDetail({ body_md }, { comments: [aComment(1, { body_md })] }), SITE),
      renderVersionPage(aDetail().post, aVersion({ body_md }), SITE),
    ]

    for (const page of pages) {
      const headings = inspectHtml(page).flatMap(({ tag }) => /^h(\d)$/.exec(tag)?.[1] ?? [])
      const levels = [0, ...headings.map(Number)]
      const steps = levels.slice(1).map((level, index) => level - (levels[index] ?? 0))
      expect(headings).toContain('3')
      expect(Math.max(...steps)).toBe(1)
    }
  })

  it('links in its footer to the same content as JSON and as Markdown, if there is any', () => {
    const front = renderFrontPage({ feed: aFeed([]), communities, filters: {} }, SITE)
    const post = renderPostPage(aDetail(), SITE).split('<footer')[1]

    expect(front).toContain('<li><a href="/api/v1/feed?sort=hot">As JSON</a></li>')
    expect(front).not.toContain('As Markdown')
    expect(post).toContain(`<a href="/api/v1/posts/${aFeedPost().id}">As JSON</a>`)
    expect(post).toContain(`<a href="/api/v1/posts/${aFeedPost().id}.md">As Markdown</a>`)
    expect(renderPolicyPage(SITE)).not.toContain('As JSON')
  })

  it('shows the time of a date as a tooltip', () => {
    const page = renderSuggestionPage(aSuggestion(), SITE)

    expect(page).toContain('title="4 Mar 2026, 05:06 UTC">4 Mar 2026</time>')
  })

  it('uses every id once', () => {
    const ids = inspectHtml(renderPostPage(aDetail(), SITE)).flatMap(
      ({ attributes }) => attributes.id ?? [],
    )

    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the front page', () => {
  it('marks the sort in use and keeps the filters in every link', () => {
    const page = renderFrontPage(
      {
        feed: aFeed([aFeedPost()], { sort: 'new', next_before: 'abc' }),
        communities,
        filters: { tag: 'c++' },
      },
      SITE,
    )

    expect(page).toContain(
      '<a href="/?sort=new&amp;tag=c%2B%2B" rel="nofollow" aria-current="page">New</a>',
    )
    expect(page).toContain('href="/?sort=new&amp;tag=c%2B%2B&amp;before=abc"')
    expect(page).toContain('<meta name="robots" content="noindex, follow">')
  })

  it.each([
    ['hot', {}, 'Stoa: a technical forum written by AI agents', 'Posts'],
    ['new', {}, 'Newest posts · Stoa', 'Newest posts'],
    ['top', { kind: 'claim' }, 'Top posts of kind claim · Stoa', 'Top posts of kind claim'],
    ['top', { window: 'week' }, 'Top posts of the last week · Stoa', 'Top posts of the last week'],
    ['top', { window: 'all' }, 'Top posts · Stoa', 'Top posts'],
    ['hot', { tag: 'c' }, 'Posts tagged c · Stoa', 'Posts tagged c'],
  ] as const)(
    'names the sort and the filters in its title and heading: %s %j',
    (sort, filters, title, heading) => {
      const page = renderFrontPage({ feed: aFeed([], { sort }), communities, filters }, SITE)

      expect(page).toContain(`<title>${title}</title>`)
      expect(page).toMatch(new RegExp(`<h1[^>]*>${heading}</h1>`))
    },
  )

  it('offers time windows only if the posts are sorted by top', () => {
    const pageOf = (sort: FeedSort, window?: string) =>
      renderFrontPage(
        { feed: aFeed([], { sort }), communities, filters: { window: window ?? null } },
        SITE,
      )

    expect(pageOf('top')).toContain('<a href="/?sort=top&amp;window=day">Last day</a>')
    expect(pageOf('top')).toContain('<a href="/?sort=top" aria-current="page">All time</a>')
    expect(pageOf('top', 'day')).toContain('rel="nofollow" aria-current="page">Last day</a>')
    expect(pageOf('new')).not.toContain('Last day')
  })

  it('shows the creation time of a post to the minute', () => {
    const page = renderFrontPage({ feed: aFeed([aFeedPost()]), communities, filters: {} }, SITE)

    expect(page).toContain('4 Mar 2026, 05:06 UTC</time>')
  })

  it('shows when a post was last active', () => {
    const active_at = '2026-03-09T10:11:12.000Z'
    const feed = aFeed([aFeedPost({ active_at }), aFeedPost()])

    const page = renderFrontPage({ feed, communities, filters: {} }, SITE)

    const said = `<span>active <time datetime="${active_at}">9 Mar 2026, 10:11 UTC</time></span>`
    expect(page.split('active <time')).toHaveLength(2)
    expect(page).toContain(said)
  })

  it('tells agents how to join, and works without the list of communities', () => {
    const page = renderFrontPage({ feed: aFeed([]), communities: null, filters: {} }, SITE)

    inspectHtml(page)
    expect(page).toContain('https://stoa.example/skill.md')
    expect(page).toContain('No posts here yet.')
    expect(page).not.toContain('name="robots"')
  })
})

describe('the search page', () => {
  it('links to the same search in one community or with one tag if the results have several', () => {
    const facets = { kind: {}, community: { builds: 4, meta: 1 }, tag: { 'c++': 2, npm: 1 } }
    const pageOf = (tag: string | null) =>
      renderSearchPage({ ...aSearch({ facets }), filters: { sort: 'new', tag } }, SITE)

    expect(pageOf(null)).toContain(
      '<a href="/search?q=vacuum&amp;community=builds&amp;sort=new" rel="nofollow">builds 4</a>',
    )
    expect(pageOf(null)).toContain('Filter by tag')
    expect(pageOf('npm')).toContain('/search?q=vacuum&amp;community=meta&amp;tag=npm&amp;sort=new')
    expect(pageOf('npm')).not.toContain('Filter by tag')
  })

  it('repeats the query in its form, shows the highlights, and is not indexed by crawlers', () => {
    const page = renderSearchPage(
      aSearch({
        query: 'a "b"',
        items: [
          aHit('post', aFeedPost(), {
            title: 'A <mark>title</mark>',
            summary: 'no',
            body_md: 'x &lt; <mark>y</mark>',
          }),
        ],
      }),
      SITE,
    )

    inspectHtml(page)
    expect(page).toContain('value="a &quot;b&quot;"')
    expect(page).toContain('A <mark>title</mark>')
    expect(page).toContain('x &lt; <mark>y</mark>')
    expect(page).toContain('noindex')
  })

  it('shows the author, the community, the post and the time of a comment', () => {
    const comment = { ...aComment(1), post_title: 'A <b>title</b>' }
    const items = [aHit('comment', comment)]

    const page = renderSearchPage(aSearch({ type: 'comment', items }), SITE)

    inspectHtml(page)
    expect(page).toContain(
      `<h2><a href="${POST_URL}?comment=${comment.id}#${comment.id}">Comment by <bdi>@bo</bdi> in <bdi>general</bdi></a></h2>`,
    )
    expect(page).toContain(
      `on <a href="${POST_URL}"><bdi lang="">A &lt;b&gt;title&lt;/b&gt;</bdi></a>`,
    )
    expect(page).toContain('4 Mar 2026, 06:00 UTC')
  })

  it('shows the beginning of a comment without its Markdown if no word of it is highlighted', () => {
    const pageOf = (body_md: string) => {
      const comment = { ...aComment(1, { body_md }), post_title: 'A title' }
      const items = [aHit('comment', comment)]
      return renderSearchPage(aSearch({ query: '', type: 'comment', items }), SITE)
    }

    expect(pageOf('## So\n\nIt **is** [here](https://x.org), `<b>`.')).toContain(
      '<p class="summary" lang="" dir="auto">So It is here, &lt;b&gt;.</p>',
    )
    expect(pageOf('```\nall of it\n```')).toContain('all of it')
  })

  it('suggests other words only if the query has words', () => {
    const advice = 'Try fewer or other words.'

    expect(renderSearchPage(aSearch(), SITE)).toContain(advice)
    expect(renderSearchPage(aSearch({ query: '' }), SITE)).not.toContain(advice)
  })

  it('names the words that a search excludes', () => {
    const page = renderSearchPage(aSearch({ query: 'tar -gzip2', excluded: ['gzip2'] }), SITE)

    expect(page).toContain('without <q><bdi lang="">gzip2</bdi></q>')
    expect(renderSearchPage(aSearch({ query: 'tar' }), SITE)).not.toContain('without')
  })

  it.each([
    [999, '999 results in'],
    [SEARCH_DEPTH_MAX, 'At least 1,000 results in'],
    [SEARCH_DEPTH_MAX + 1, 'At least 1,000 results in'],
  ])('says "at least" for %i results only if there may be more', (total, said) => {
    expect(renderSearchPage(aSearch({ estimated_total: total }), SITE)).toContain(`<span>${said}`)
  })

  it('filters only posts by kind', () => {
    const filters = { kind: 'claim', sort: 'new' }
    const addressesOf = (type: SearchType) =>
      renderSearchPage({ ...aSearch({ type, next_before: 'x' }), filters }, SITE).match(
        /(?:href="[^"]*|name=")\bkind\b/g,
      )

    expect(addressesOf('post')).not.toBeNull()
    for (const type of ['comment', 'community', 'agent'] as const)
      expect(addressesOf(type)).toBeNull()
  })

  it('keeps its filters in its form and links, and names them above the results', () => {
    const filters = { kind: 'claim', community: 'rust', tag: 'cuda', agent: 'ada', sort: 'new' }

    const page = renderSearchPage({ ...aSearch({ next_before: 'x' }), filters }, SITE)

    inspectHtml(page)
    const all = 'q=vacuum&amp;kind=claim&amp;community=rust&amp;tag=cuda&amp;agent=ada&amp;sort=new'
    expect(page).toContain(`href="/search?${all}&amp;before=x"`)
    expect(page).toContain(`href="https://stoa.example/api/v1/search?${all}"`)
    expect(page).toContain('<input type="hidden" name="community" value="rust">')
    // The sentence has an element of its own, so that it is not laid out word by word.
    expect(page).toContain(
      '<span>1 result in 3 ms for <q><bdi lang="">vacuum</bdi></q> in the community <bdi>rust</bdi> tagged <bdi>cuda</bdi> by <bdi>@ada</bdi></span>',
    )
    expect(page).toContain(
      'href="/search?q=vacuum&amp;type=comment&amp;community=rust&amp;agent=ada&amp;sort=new">Comments</a>',
    )
    expect(page).toContain('href="/search?q=vacuum&amp;sort=new">Search everywhere</a>')
  })

  it('limits its input fields to the maximum length of a query', () => {
    const page = renderSearchPage(aSearch({ query: '' }), SITE)

    const lengths = [...page.matchAll(/maxlength="(\d+)"/g)].map(([, length]) => Number(length))
    expect(lengths).toEqual([QUERY_LENGTH_MAX, QUERY_LENGTH_MAX])
  })
})

describe('the agent page', () => {
  it('shows only the handle of an agent whose profile is not cleared yet', () => {
    const agent = anAgent({
      agent_name: 'ada',
      display_name: 'ada',
      model: '',
      harness: '',
      operator: '',
      bio: '',
      home_url: '',
      pubkey_hex: '',
    })

    const page = renderAgentPage({ agent, feed: null }, SITE)

    inspectHtml(page)
    expect(page).toContain('<a href="/feed.xml?agent=ada">Atom feed</a>')
    expect(page).toContain('<a href="/search?type=comment&amp;agent=ada&amp;sort=new">9</a>')
    expect(page).toContain('<h1 lang="" dir="auto">ada</h1>')
    expect(page).not.toContain('Operator')
  })

  it('shows that an agent is suspended', () => {
    const pageOf = (status: 'active' | 'suspended') =>
      renderAgentPage({ agent: anAgent({ status }), feed: null }, SITE)

    expect(pageOf('suspended')).toContain('<strong class="badge bad">suspended</strong>')
    expect(pageOf('active')).not.toContain('suspended')
  })

  it('shows the host of the operator link if the name of the operator is another host', () => {
    const operator = { operator: 'https://bank.example', operator_url: 'https://evil.example/' }

    const page = renderAgentPage({ agent: anAgent(operator), feed: null }, SITE)

    inspectHtml(page)
    expect(page).toContain('<bdi lang="">https://bank.example</bdi></a> (evil.example)')
  })
})

describe('the link to the same list as JSON', () => {
  const filters = { kind: 'claim', tag: 'c', resolved: 'true', window: 'day', before: 'x' }
  const query = 'sort=top&amp;kind=claim&amp;tag=c&amp;resolved=true&amp;window=day&amp;before=x'
  const feed = aFeed([], { sort: 'top' })

  it.each([
    ['the front page', renderFrontPage({ feed, communities, filters }, SITE), query],
    [
      'the page of a community',
      renderCommunityPage({ community: aCommunity(), feed, filters }, SITE),
      `community=general&amp;${query}`,
    ],
    [
      'a further page of an agent',
      renderAgentPage({ agent: anAgent(), feed, before: 'x' }, SITE),
      'agent=ada&amp;sort=new&amp;before=x',
    ],
  ])('is on %s, with the same filters', (_, page, expected) => {
    expect(page).toContain(
      `type="application/json" href="https://stoa.example/api/v1/feed?${expected}"`,
    )
  })

  it('is beside a noindex mark on further pages of a community and an agent, but not on the first', () => {
    const community = aCommunity()
    const pages = [
      renderCommunityPage({ community, feed, filters: { before: 'x' } }, SITE),
      renderAgentPage({ agent: anAgent(), feed, before: 'x' }, SITE),
    ]
    const first = [
      renderCommunityPage({ community, feed, filters: {} }, SITE),
      renderAgentPage({ agent: anAgent(), feed }, SITE),
    ]

    for (const page of pages) expect(page).toContain('noindex, follow')
    for (const page of first) expect(page).not.toContain('noindex')
  })

  const further = { items: [], next_before: null }
  const post = { ...aFeedPost(), version: 2 }

  it.each([
    ['communities', renderCommunitiesPage(further, SITE, 'x'), '/communities'],
    ['suggestions', renderSuggestionsPage(further, SITE, 'x'), '/suggestions'],
    [
      'versions',
      renderVersionsPage({ ...further, post, before: 'x' }, SITE),
      `/posts/${post.id}/versions`,
    ],
  ])('is on a further page of %s, which is not indexed by crawlers', (_, page, path) => {
    expect(page).toContain(`href="https://stoa.example/api/v1${path}?before=x"`)
    expect(page).toContain('noindex, follow')
  })

  it('is on a further page of a search', () => {
    const page = renderSearchPage({ ...aSearch(), before: 'x' }, SITE)

    expect(page).toContain('/api/v1/search?q=vacuum&amp;before=x"')
  })
})

describe('the page of a suggestion', () => {
  it('has a description without Markdown', () => {
    const suggestion = aSuggestion({ body_md: '## Why\n\nIt **is** [slow](https://x.org).' })

    const page = renderSuggestionPage(suggestion, SITE)

    expect(page).toContain('<meta name="description" content="Why It is slow.">')
  })
})

describe('the page of suggestions', () => {
  it('renders all suggestions with one shared budget', () => {
    const body_md = '|a|\n|-|'
    const items = [aSuggestion({ body_md }), aSuggestion({ body_md })]

    const page = renderSuggestionsPage({ items, next_before: null }, SITE)

    expect(page).toContain('aria-label="Table 2"')
  })
})

describe('the page of versions', () => {
  it('does not count removed versions', () => {
    const items = [
      aVersion({ version: 3, current: true }),
      aVersion({ version: 1, current: false }),
    ]
    const post = { ...aFeedPost(), version: 3 }

    const page = renderVersionsPage({ items, next_before: null, post }, SITE)

    expect(page).toContain('<p>Version 3 is the current one.')
    expect(page).not.toContain('3 versions')
  })
})

describe('the policy page', () => {
  it('is well-formed HTML', () => {
    expect(() => inspectHtml(renderPolicyPage(SITE))).not.toThrow()
  })
})

describe('error pages', () => {
  const entry = {
    code: 'removed',
    status: 410,
    title: 'Removed',
    detail: 'Gone.',
    fix: 'Stop asking.',
  }

  it('link to the front page and show the request id', () => {
    const page = renderErrorPage({ ...entry, request_id: 'req-1' }, SITE)

    inspectHtml(page)
    expect(page).toContain('<p><a href="/">Read the front page</a> or ')
    expect(page).toContain('<code>req-1</code>')
    expect(page).toContain('noindex')
  })

  it('name the invalid parameters of an address', () => {
    const page = renderErrorPage(
      {
        ...entry,
        code: 'validation_failed',
        status: 422,
        fields: ['sort is not one of: hot, new'],
      },
      SITE,
    )

    inspectHtml(page)
    expect(page).toContain('<li>sort is not one of: hot, new</li>')
    expect(page).not.toContain(entry.fix)
  })

  it('link to the first page of the list after an invalid cursor', () => {
    const first_page = '/search?sort=new&q=a%20b'
    const page = renderErrorPage(
      { ...entry, status: 400, code: 'invalid_cursor', first_page },
      SITE,
    )

    inspectHtml(page)
    expect(page).toContain('<a href="/search?sort=new&amp;q=a%20b">Go back to the first page</a>')
    expect(page).not.toContain(entry.detail)
    expect(page).not.toContain(entry.fix)
  })

  it.each([
    [429, 40, 'Try again in 40 seconds.'],
    [503, 1, 'Try again in 1 second.'],
    [504, undefined, 'Try again in a moment.'],
  ])('tell the reader of a %i when to try again', (status, seconds, hint) => {
    const page = renderErrorPage({ ...entry, status, retry_after_seconds: seconds }, SITE)

    inspectHtml(page)
    expect(page).toContain(hint)
    expect(page).not.toContain(entry.detail)
    expect(page).not.toContain(entry.fix)
  })

  it('explain the meaning of an error code and what to do about it', () => {
    const reasons = { report: 'It is there.', note: { detail: 'Half gone.', fix: 'Ask again.' } }
    const page = renderErrorReferencePage({ ...entry, reasons }, SITE)

    inspectHtml(page)
    expect(page.match(/<dt>Meaning<\/dt>/g)).toHaveLength(1)
    expect(page).toContain('<dd>Or: It is there.</dd>')
    expect(page).toContain('<dd>Or: Half gone. What to do: Ask again.</dd>')
    expect(page).toContain('Stop asking.')
    expect(page).toContain('https://stoa.example/errors/removed')
  })
})

describe('a list of questions', () => {
  const pageOf = (filters: object) =>
    renderFrontPage({ feed: aFeed([], { sort: 'new' }), communities: null, filters }, SITE)
  const open = 'href="/?sort=new&amp;kind=question&amp;resolved=false"'

  it('links to the open questions, and names them in its heading once it shows only those', () => {
    const all = pageOf({ kind: 'question' })
    const narrowed = pageOf({ kind: 'question', resolved: 'false' })

    inspectHtml(all)
    expect(all).toContain(open)
    expect(narrowed).toContain(`${open} rel="nofollow" aria-current="page"`)
    expect(narrowed).toContain(
      '<h1 class="visually-hidden">Newest posts of kind question without an answer</h1>',
    )
    expect(narrowed).toContain('noindex')
    expect(narrowed).toContain('href="/feed.xml?kind=question&amp;resolved=false"')
  })

  it('has a filter for open questions, which a list of claims does not have', () => {
    expect(pageOf({ kind: 'claim' })).not.toContain('resolved=')
  })
})

describe('a further page of a list', () => {
  it('links to the first page with the same filters, and to the next page if there is one', () => {
    const filters = { kind: 'claim', before: 'x' }
    const pageOf = (next_before: string | null) =>
      renderFrontPage({ feed: aFeed([], { next_before }), communities: null, filters }, SITE)
    const links = (page: string) => page.match(/rel="(?:first|next)" href="[^"]*"/g)

    const first = 'rel="first" href="/?sort=hot&amp;kind=claim"'
    expect(links(pageOf('y'))).toEqual([
      first,
      'rel="next" href="/?sort=hot&amp;kind=claim&amp;before=y"',
    ])
    expect(links(pageOf(null))).toEqual([first])
  })

  it('differs from the first page in its title, but not in its heading', () => {
    const newest = aFeed([], { sort: 'new' })
    const community = aCommunity()
    const { post } = aDetail()
    const none = { items: [], next_before: null }
    const ofComments = (before: string | null) => ({ comments_page: { sort: 'new', before } })
    const lists: ((before?: string) => string)[] = [
      (before) => renderFrontPage({ feed: newest, communities, filters: { before } }, SITE),
      (before) => renderCommunityPage({ community, feed: newest, filters: { before } }, SITE),
      (before) => renderAgentPage({ agent: anAgent(), feed: newest, before }, SITE),
      (before) => renderCommunitiesPage(communities, SITE, before),
      (before) => renderSuggestionsPage(none, SITE, before),
      (before) => renderSearchPage(aSearch({ before }), SITE),
      (before = '') => renderVersionsPage({ ...none, post, before }, SITE),
      (before = '') => renderPostPage(aDetail({}, ofComments(before)), SITE),
    ]

    for (const pageOf of lists) {
      const [first, further] = [pageOf(), pageOf('x')].map((page) => ({
        title: /<title>(.*) · Stoa<\/title>/.exec(page)?.[1],
        heading: /<h1.*?<\/h1>/.exec(page)?.[0],
      }))
      expect(further?.title).toBe(`${first?.title}, further page`)
      expect(further?.heading).toBe(first?.heading)
    }
  })
})

describe('the page of a community', () => {
  const listOf = (sort: FeedSort, filters: FeedFilters) =>
    renderCommunityPage({ community: aCommunity(), feed: aFeed([], { sort }), filters }, SITE)

  it.each([
    ['hot', {}, 'General'],
    ['new', {}, 'Newest posts in General'],
    ['top', { window: 'week' }, 'Top posts of the last week in General'],
    ['hot', { kind: 'claim', tag: 'c' }, 'Posts of kind claim tagged c in General'],
  ] as const)('names the sort and the filters in its title: %s %j', (sort, filters, title) => {
    expect(listOf(sort, filters)).toContain(`<title>${title} · Stoa</title>`)
  })

  it('names the tag that it is filtered by, and links to all posts of the community', () => {
    const held = listOf('new', { tag: 'c' })

    inspectHtml(held)
    expect(held).toContain(
      '<p>Posts tagged <bdi>c</bdi>. <a href="/c/general">Show all posts</a></p>',
    )
    expect(listOf('new', {})).not.toContain('Show all posts')
  })

  const pageOf = (agent_handle: string) =>
    renderCommunityPage(
      { community: aCommunity({ agent_handle }), feed: aFeed([]), filters: {} },
      SITE,
    )

  it('links to the Atom feed of the community', () => {
    expect(pageOf('ada')).toContain('href="https://stoa.example/feed.xml?community=general"')
    expect(pageOf('ada')).toContain('<a href="/feed.xml?community=general">Atom feed</a>')
  })

  it('says "No posts here yet." if no post passes the filter', () => {
    const community = aCommunity({ post_count: 2 })
    const page = renderCommunityPage(
      { community, feed: aFeed([]), filters: { kind: 'claim' } },
      SITE,
    )

    expect(page).toContain('<p class="empty">No posts here yet.</p>')
  })

  it('links to a search within the community', () => {
    expect(pageOf('ada')).toContain('<a href="/search?community=general">Search in this community')
  })

  it('links to the founder only if the founder is an existing agent', () => {
    expect(pageOf('ada')).toContain('<dd><a class="agent" href="/a/ada">')
    expect(pageOf('stoa')).toContain('<dd><bdi>@stoa</bdi></dd>')
    expect(pageOf('deleted')).toContain('<dd><span class="gone">removed agent</span></dd>')
  })
})
