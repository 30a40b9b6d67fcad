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

  it('tells the section it is in from the page that it is', () => {
    const front = renderFrontPage({ feed: aFeed([]), communities, filters: {} }, SITE)

    expect(front).toContain('<a href="/" aria-current="page">Posts</a>')
    expect(renderPostPage(aDetail(), SITE)).toContain('<a href="/" aria-current="true">Posts</a>')
  })

  it('has all it says in a landmark, the notice too', () => {
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

  it('is described in few words, which no letter is cut through', () => {
    const page = renderAgentPage({ agent: anAgent({ bio: '😀'.repeat(500) }), feed: null }, SITE)

    expect(page).toContain(`<meta name="description" content="${'😀'.repeat(280)}">`)
  })

  it('leaves out no level of headings between its own and those that agents wrote', () => {
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

  it('leads in its foot to the same for machines', () => {
    const front = renderFrontPage({ feed: aFeed([]), communities, filters: {} }, SITE)
    const post = renderPostPage(aDetail(), SITE).split('<footer')[1]

    expect(front).toContain('<li><a href="/api/v1/feed?sort=hot">As JSON</a></li>')
    expect(front).not.toContain('As Markdown')
    expect(post).toContain(`<a href="/api/v1/posts/${aFeedPost().id}">As JSON</a>`)
    expect(post).toContain(`<a href="/api/v1/posts/${aFeedPost().id}.md">As Markdown</a>`)
    expect(renderPolicyPage(SITE)).not.toContain('As JSON')
  })

  it('tells the hour of a day to whoever points at it', () => {
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
  ] as const)('says in its title what it shows: %s %j', (sort, filters, title, heading) => {
    const page = renderFrontPage({ feed: aFeed([], { sort }), communities, filters }, SITE)

    expect(page).toContain(`<title>${title}</title>`)
    expect(page).toMatch(new RegExp(`<h1[^>]*>${heading}</h1>`))
  })

  it('offers the best of a time where the best are shown', () => {
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

  it('says to the minute how new a post is', () => {
    const page = renderFrontPage({ feed: aFeed([aFeedPost()]), communities, filters: {} }, SITE)

    expect(page).toContain('4 Mar 2026, 05:06 UTC</time>')
  })

  it('says of recently active posts when that was', () => {
    const active_at = '2026-03-09T10:11:12.000Z'
    const feed = aFeed([aFeedPost({ active_at }), aFeedPost()])

    const page = renderFrontPage({ feed, communities, filters: {} }, SITE)

    const said = `<span>active <time datetime="${active_at}">9 Mar 2026, 10:11 UTC</time></span>`
    expect(page.split('active <time')).toHaveLength(2)
    expect(page).toContain(said)
  })

  it('tells how an agent joins, and does without communities', () => {
    const page = renderFrontPage({ feed: aFeed([]), communities: null, filters: {} }, SITE)

    inspectHtml(page)
    expect(page).toContain('https://stoa.example/skill.md')
    expect(page).toContain('No posts here yet.')
    expect(page).not.toContain('name="robots"')
  })
})

describe('the search page', () => {
  it('leads to the same search in one community or of one tag, where it found several', () => {
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

  it('is a form that repeats the words, and is kept out of indexes', () => {
    const page = renderSearchPage(
      aSearch({
        query: 'a "b"',
        items: [
          aHit({
            type: 'post',
            post: aFeedPost(),
            highlights: {
              title: 'A <mark>title</mark>',
              summary: 'no',
              body_md: 'x &lt; <mark>y</mark>',
            },
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

  it('says of a comment whose it is and where', () => {
    const comment = { ...aComment(1), post_title: 'A <b>title</b>' }
    const items = [aHit({ type: 'comment', id: comment.id, comment })]

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

  it('shows how a comment begins without its Markdown where no word of it is marked', () => {
    const pageOf = (body_md: string) => {
      const comment = { ...aComment(1, { body_md }), post_title: 'A title' }
      const items = [aHit({ type: 'comment', id: comment.id, comment })]
      return renderSearchPage(aSearch({ query: '', type: 'comment', items }), SITE)
    }

    expect(pageOf('## So\n\nIt **is** [here](https://x.org), `<b>`.')).toContain(
      '<p class="summary" lang="" dir="auto">So It is here, &lt;b&gt;.</p>',
    )
    expect(pageOf('```\nall of it\n```')).toContain('all of it')
  })

  it('asks for other words only where there were some', () => {
    const advice = 'Try fewer or other words.'

    expect(renderSearchPage(aSearch(), SITE)).toContain(advice)
    expect(renderSearchPage(aSearch({ query: '' }), SITE)).not.toContain(advice)
  })

  it('says what a search leaves out', () => {
    const page = renderSearchPage(aSearch({ query: 'tar -gzip2', excluded: ['gzip2'] }), SITE)

    expect(page).toContain('without <q><bdi lang="">gzip2</bdi></q>')
    expect(renderSearchPage(aSearch({ query: 'tar' }), SITE)).not.toContain('without')
  })

  it.each([
    [999, '999 results in'],
    [SEARCH_DEPTH_MAX, 'At least 1,000 results in'],
    [SEARCH_DEPTH_MAX + 1, 'At least 1,000 results in'],
  ])('says of %i results that may be more that there are at least so many', (total, said) => {
    expect(renderSearchPage(aSearch({ estimated_total: total }), SITE)).toContain(`<span>${said}`)
  })

  it('filters posts alone by their kind', () => {
    const filters = { kind: 'claim', sort: 'new' }
    const addressesOf = (type: SearchType) =>
      renderSearchPage({ ...aSearch({ type, next_before: 'x' }), filters }, SITE).match(
        /(?:href="[^"]*|name=")\bkind\b/g,
      )

    expect(addressesOf('post')).not.toBeNull()
    for (const type of ['comment', 'community', 'agent'] as const)
      expect(addressesOf(type)).toBeNull()
  })

  it('keeps what it was narrowed to in its form and links, and says so', () => {
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

  it('takes as many characters as the search does', () => {
    const page = renderSearchPage(aSearch({ query: '' }), SITE)

    const lengths = [...page.matchAll(/maxlength="(\d+)"/g)].map(([, length]) => Number(length))
    expect(lengths).toEqual([QUERY_LENGTH_MAX, QUERY_LENGTH_MAX])
  })
})

describe('the agent page', () => {
  it('shows the handle alone until the profile is cleared', () => {
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

  it('says of an agent that it is suspended', () => {
    const pageOf = (status: 'active' | 'suspended') =>
      renderAgentPage({ agent: anAgent({ status }), feed: null }, SITE)

    expect(pageOf('suspended')).toContain('<strong class="badge bad">suspended</strong>')
    expect(pageOf('active')).not.toContain('suspended')
  })

  it('shows where the name of an operator leads, which names another host', () => {
    const operator = { operator: 'https://bank.example', operator_url: 'https://evil.example/' }

    const page = renderAgentPage({ agent: anAgent(operator), feed: null }, SITE)

    inspectHtml(page)
    expect(page).toContain('<bdi lang="">https://bank.example</bdi></a> (evil.example)')
  })
})

describe('the address of the same list as JSON', () => {
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
  ])('is on %s', (_, page, expected) => {
    expect(page).toContain(
      `type="application/json" href="https://stoa.example/api/v1/feed?${expected}"`,
    )
  })

  it('is on further pages of a community and an agent, which are none of their own to crawlers', () => {
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
  ])('is on a further page of %s, which is no page of its own to crawlers', (_, page, path) => {
    expect(page).toContain(`href="https://stoa.example/api/v1${path}?before=x"`)
    expect(page).toContain('noindex, follow')
  })

  it('is on a further page of a search', () => {
    const page = renderSearchPage({ ...aSearch(), before: 'x' }, SITE)

    expect(page).toContain('/api/v1/search?q=vacuum&amp;before=x"')
  })
})

describe('the page of a suggestion', () => {
  it('is described without Markdown', () => {
    const suggestion = aSuggestion({ body_md: '## Why\n\nIt **is** [slow](https://x.org).' })

    const page = renderSuggestionPage(suggestion, SITE)

    expect(page).toContain('<meta name="description" content="Why It is slow.">')
  })
})

describe('the page of suggestions', () => {
  it('has one allowance for what rendering all of them costs', () => {
    const body_md = '|a|\n|-|'
    const items = [aSuggestion({ body_md }), aSuggestion({ body_md })]

    const page = renderSuggestionsPage({ items, next_before: null }, SITE)

    expect(page).toContain('aria-label="Table 2"')
  })
})

describe('the page of versions', () => {
  it('counts none that were taken away', () => {
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
  it('is well formed', () => {
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

  it('give a reader a way on', () => {
    const page = renderErrorPage({ ...entry, request_id: 'req-1' }, SITE)

    inspectHtml(page)
    expect(page).toContain('<p><a href="/">Read the front page</a> or ')
    expect(page).toContain('<code>req-1</code>')
    expect(page).toContain('noindex')
  })

  it('name to a reader what is wrong with an address', () => {
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

  it('lead from a page that a list does not have to its first one', () => {
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
  ])('tell a reader of a %i when to come back', (status, seconds, hint) => {
    const page = renderErrorPage({ ...entry, status, retry_after_seconds: seconds }, SITE)

    inspectHtml(page)
    expect(page).toContain(hint)
    expect(page).not.toContain(entry.detail)
    expect(page).not.toContain(entry.fix)
  })

  it('explain a code to whoever meets it', () => {
    const reasons = { report: 'It is there.', note: { detail: 'Half gone.', fix: 'Ask again.' } }
    const page = renderErrorReferencePage({ ...entry, reasons }, SITE)

    inspectHtml(page)
    expect(page).toContain('<dt>Meaning</dt><dd>It is there.</dd>')
    expect(page).toContain('Half gone. What to do: Ask again.')
    expect(page).toContain('Stop asking.')
    expect(page).toContain('https://stoa.example/errors/removed')
  })
})

describe('a list of questions', () => {
  const pageOf = (filters: object) =>
    renderFrontPage({ feed: aFeed([], { sort: 'new' }), communities: null, filters }, SITE)
  const open = 'href="/?sort=new&amp;kind=question&amp;resolved=false"'

  it('leads to the open ones, and says so there', () => {
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

  it('is one of that kind', () => {
    expect(pageOf({ kind: 'claim' })).not.toContain('resolved=')
  })
})

describe('a further page of a list', () => {
  it('leads back to the first, under the same filters, and on where there is more', () => {
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

  it('is told from the first by its title, and no heading changes', () => {
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
  ] as const)('says in its title what it shows: %s %j', (sort, filters, title) => {
    expect(listOf(sort, filters)).toContain(`<title>${title} · Stoa</title>`)
  })

  it('says that it is held to a tag, and leads to all of its posts', () => {
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

  it('names the feed of news of its own, and links to it', () => {
    expect(pageOf('ada')).toContain('href="https://stoa.example/feed.xml?community=general"')
    expect(pageOf('ada')).toContain('<a href="/feed.xml?community=general">Atom feed</a>')
  })

  it('does not say that it is empty where no post passes the filter', () => {
    const community = aCommunity({ post_count: 2 })
    const page = renderCommunityPage(
      { community, feed: aFeed([]), filters: { kind: 'claim' } },
      SITE,
    )

    expect(page).toContain('<p class="empty">No posts here yet.</p>')
  })

  it('leads to a search in it', () => {
    expect(pageOf('ada')).toContain('<a href="/search?community=general">Search in this community')
  })

  it('links to its founder, where there is one', () => {
    expect(pageOf('ada')).toContain('<dd><a class="agent" href="/a/ada">')
    expect(pageOf('stoa')).toContain('<dd><bdi>@stoa</bdi></dd>')
    expect(pageOf('deleted')).toContain('<dd><span class="gone">removed agent</span></dd>')
  })
})
