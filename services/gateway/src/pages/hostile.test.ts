import { describe, expect, it } from '@jest/globals'
import type { Suggestion } from '@stoa/shared/contracts/suggestions.js'
import { renderAgentPage } from './agent.ts'
import { renderCommunitiesPage, renderCommunityPage } from './community.ts'
import { renderErrorPage, renderErrorReferencePage } from './error.ts'
import { renderFrontPage } from './front.ts'
import { renderAtomFeed, renderThreadFeed } from './machine-files/atom.ts'
import { renderPostPage } from './post/post.ts'
import { renderChangesPage } from './post/version-changes.ts'
import { renderVersionPage, renderVersionsPage } from './post/versions.ts'
import { renderSearchPage } from './search.ts'
import { renderSuggestionPage, renderSuggestionsPage } from './suggestions.ts'
import { inspectHtml } from './testing/inspect-html.ts'
import * as sample from './testing/sample-data.ts'

const { SITE } = sample

const HOSTILE = [
  '"><script>alert(1)</script>',
  `' onmouseover='alert(1)' x="`,
  '</title></textarea></bdi></article></main><img src=x onerror=alert(1)>',
  'javascript:alert(1)//https://',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/x',
  '\u202egnp.exe\u2066',
  '[x](javascript:alert(1)) ![x](data:image/svg+xml,<svg onload=alert(1)>) <b>',
  ']]>--><!-- {{x}} \ud800\u0000',
  '<mark><mark onclick=x></mark>&lt;script&gt;',
]

/** The same value, with every string in it except field names replaced by `text`. */
function poisoned<Value>(value: Value, text: string): Value {
  return JSON.parse(JSON.stringify(value), (_key, part) => (typeof part === 'string' ? text : part))
}

const cite = sample.aCite()

const detail = sample.aDetail(
  {
    sources: ['x'],
    link_url: 'x',
    mentions: [{ handle: 'x', url: 'x' }],
    data: { problem: 'x', fix: 'x', environment: { os: 'x', tools: ['x'] }, other: ['x'] },
    accepted_comment_id: 'x',
    resolved_at: 'x',
    resolved_by: 'x',
    reproduced_count: 1,
    version: 2,
    duplicate_marked_by: 'x',
  },
  {
    duplicate_of: cite,
    duplicates: [cite],
    cites: [cite],
    cited_by: [cite],
    comments: [sample.aComment(1), sample.aComment(2)],
    comments_next_url: 'x',
    reproductions: [sample.aReproduction()],
  },
)
const feed = sample.aFeed([sample.aFeedPost()], { next_before: 'x' })
const communities = { items: [sample.aCommunity()], next_before: 'x' }
const highlights = { title: 'x', summary: 'x', body_md: 'x' }
const found = [
  sample.aHit('post', sample.aFeedPost(), highlights),
  sample.aHit('comment', { ...sample.aComment(1), post_title: 'x' }, highlights),
  sample.aHit('comment', { ...sample.aComment(1), post_title: 'x' }),
  sample.aHit('community', sample.aCommunity()),
  sample.aHit('agent', sample.anAgent()),
]
const { data, sources, link_url } = detail.post
const version = sample.aVersion({ data, sources, link_url })
const suggestion: Suggestion = {
  id: 'x',
  title: 'x',
  body_md: 'x',
  status: 'open',
  score: 1,
  agent_handle: 'x',
  created_at: 'x',
  url: 'x',
  api_url: 'x',
  untrusted: true,
}
const failure = { code: 'x', status: 500, title: 'x', detail: 'x', fix: 'x', request_id: 'x' }
const filters = { kind: 'x', tag: 'x', window: 'x', before: 'x' }

const pages: Record<string, (text: string) => string> = {
  front: (text) => renderFrontPage(poisoned({ feed, communities, filters }, text), SITE),
  community: (text) =>
    renderCommunityPage(poisoned({ community: sample.aCommunity(), feed, filters }, text), SITE),
  communities: (text) => renderCommunitiesPage(poisoned(communities, text), SITE),
  post: (text) => renderPostPage(poisoned(detail, text), SITE),
  solution: (text) => {
    const page = poisoned(detail, text)
    return renderPostPage({ ...page, post: { ...page.post, kind: 'solution' } }, SITE)
  },
  versions: (text) =>
    renderVersionsPage(
      poisoned({ post: detail.post, next_before: 'x', items: [version] }, text),
      SITE,
    ),
  version: (text) => {
    const page = poisoned({ post: detail.post, version }, text)
    return renderVersionPage(page.post, page.version, SITE)
  },
  changes: (text) => {
    const older = { ...version, data: { [text]: text }, sources: ['y'] }
    const page = poisoned({ post: detail.post, newer: version }, text)
    return renderChangesPage(page.post, [older, page.newer], SITE)
  },
  agent: (text) => renderAgentPage(poisoned({ agent: sample.anAgent(), feed }, text), SITE),
  suggestions: (text) =>
    renderSuggestionsPage(poisoned({ next_before: 'x', items: [suggestion] }, text), SITE),
  suggestion: (text) => renderSuggestionPage(poisoned(suggestion, text), SITE),
  search: (text) =>
    renderSearchPage(
      poisoned(
        {
          ...sample.aSearch({ items: found, next_before: 'x', degraded: true }),
          facets: { kind: { [text]: 1, b: 2 }, community: {}, tag: { [text]: 1, b: 2 } },
          filters,
        },
        text,
      ),
      SITE,
    ),
  error: (text) => renderErrorPage(poisoned(failure, text), SITE),
  'error reference': (text) => renderErrorReferencePage(poisoned(failure, text), SITE),
}

describe.each(Object.entries(pages))('the %s page', (_name, render) => {
  it.each(HOSTILE)(
    'is well-formed HTML without harmful characters if every field is %j',
    (text) => {
      const page = render(text)

      const elements = inspectHtml(page)
      expect(elements.length).toBeGreaterThan(20)
      for (const { attributes } of elements) expect(attributes.class ?? '').toMatch(/^[\w+#. -]*$/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for what must not be there.
      expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000]|\p{Surrogate}/u)
    },
  )
})

describe('links on a page with hostile data', () => {
  it('have rel="nofollow ugc noopener" if they lead to another site', () => {
    const relsOn = (render: (text: string) => string) =>
      inspectHtml(render('https://evil.example/?a="b'))
        .filter(({ tag, attributes }) => tag === 'a' && attributes.href?.startsWith('http'))
        .map(({ attributes }) => attributes.rel)

    expect(relsOn(pages.post as () => string).length).toBeGreaterThan(3)
    expect(new Set(Object.values(pages).flatMap(relsOn))).toEqual(
      new Set(['nofollow ugc noopener']),
    )
  })
})

const thread = { post: detail.post, comments: { items: [sample.aComment(1)], next_before: 'x' } }

describe.each<[string, (text: string) => string]>([
  ['the posts', (text) => renderAtomFeed(poisoned(feed, text), SITE)],
  [
    'a thread',
    (text) => {
      const { post, comments } = poisoned(thread, text)
      return renderThreadFeed(post, comments, SITE)
    },
  ],
])('the Atom feed of %s', (_name, render) => {
  it.each(HOSTILE)('contains no injected elements if every field is %j', (text) => {
    const xml = render(text)

    expect(xml).not.toMatch(/<(script|img|mark|b|svg|!)/)
    expect(xml.match(/<entry /g)).toHaveLength(1)
  })
})
