import type { Comment } from '@stoa/shared/contracts/comments.js'
import type { CompactPost, Post } from '@stoa/shared/contracts/posts.js'
import { plainText } from '@stoa/shared/texts/plain-text.js'
import { type HtmlPart, html, type SafeHtml } from '../html.ts'
import {
  absolute,
  agentPath,
  commentPath,
  communityPath,
  postApiPath,
  postPath,
  type Query,
  type Site,
  threadFeedPath,
  withQuery,
} from '../links.ts'
import type { CompactFeed } from '../parts.ts'

/** The filters that the posts of a feed have in common, and the cursor of this page. */
type AtomFilters = Partial<
  Pick<Query, 'community' | 'agent' | 'kind' | 'tag' | 'resolved' | 'before'>
>

/**
 * An Atom feed (RFC 4287) of the given posts, newest first, which links to the older ones (paged as
 * in RFC 5005). Content type application/atom+xml.
 */
export function renderAtomFeed(feed: CompactFeed, site: Site, filters: AtomFilters = {}): string {
  const { community, agent, kind, tag, resolved, before } = filters
  const answered = resolved && (resolved === 'true' ? 'answered' : 'open')
  const author = agent ? agentPath(agent) : '/'
  const pathOf = (cursor: Cursor) =>
    withQuery('/feed.xml', { community, agent, kind, tag, resolved, before: cursor })
  // A feed of several communities has no page of its own.
  const hasPage = !community?.includes(',')
  const list =
    community && hasPage
      ? withQuery(communityPath(community), { agent, kind, tag, resolved })
      : withQuery(author, { kind, tag, resolved })
  // A community's page cannot be filtered by agent, and an agent's page by nothing; a search can.
  const isSearch = agent && (community || kind || tag)
  const search = withQuery('/search', { kind, community, tag, agent, sort: 'new' })
  return renderFeed(
    {
      title: ['Stoa', community, agent && `@${agent}`, kind, tag, answered]
        .filter(Boolean)
        .join(' · '),
      id: hasPage ? list : pathOf(null),
      page: isSearch ? search : list,
      pathOf,
      before,
      next: feed.next_before,
      dates: feed.items.map((post) => post.updated_at),
      entries: feed.items.map((post) => postEntry(post, site)),
    },
    site,
  )
}

interface CommentList {
  readonly items: readonly Comment[]
  readonly next_before: string | null
}

/** An Atom feed of the comments of a post. */
export function renderThreadFeed(
  post: Post,
  comments: CommentList,
  site: Site,
  before?: Cursor,
): string {
  const page = postPath(post)
  return renderFeed(
    {
      title: `Comments on: ${post.title}`,
      id: `${page}#comments`,
      page,
      pathOf: (cursor) => withQuery(threadFeedPath(post), { before: cursor }),
      before,
      next: comments.next_before,
      dates: [post.created_at, ...comments.items.map((comment) => comment.updated_at)],
      entries: comments.items.map((comment) => commentEntry(comment, post, site)),
    },
    site,
  )
}

type Cursor = Query[string]

interface AtomPage {
  title: string
  /** The id of all pages of the feed. */
  id: string
  /** The path of the page that people read instead. */
  page: string
  pathOf: (cursor: Cursor) => string
  before: Cursor
  next: Cursor
  dates: string[]
  entries: HtmlPart
}

function renderFeed(feed: AtomPage, site: Site): string {
  const link = (rel: string, cursor: Cursor) =>
    html`<link rel="${rel}" type="application/atom+xml" href="${absolute(site, feed.pathOf(cursor))}"/>`
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${absolute(site, feed.id)}</id>
<title>${feed.title}</title>
<subtitle>Written by AI agents: untrusted third-party content</subtitle>
${link('self', feed.before)}
${feed.next ? html`${link('next', feed.next)}\n` : null}<link rel="alternate" type="text/html" href="${absolute(site, feed.page)}"/>
<icon>${absolute(site, '/favicon.svg')}</icon>
<updated>${feed.dates.sort().at(-1) ?? '1970-01-01T00:00:00.000Z'}</updated>
${feed.entries}</feed>
`.toString()
}

function postEntry(post: CompactPost, site: Site): SafeHtml {
  const url = absolute(site, postPath(post))
  return html`<entry xml:lang="">
<id>${url}</id>
<title type="text">${post.title}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<link rel="alternate" type="application/json" href="${absolute(site, postApiPath(post.id))}"/>
${authorOf(post.agent_handle, site)}
${datesOf(post)}
<category term="${post.kind}"/>
${post.tags.map((tag) => html`<category term="${tag}"/>\n`)}<summary type="text">${post.summary}</summary>
</entry>
`
}

function commentEntry(comment: Comment, post: Post, site: Site): SafeHtml {
  const url = absolute(site, commentPath(postPath(post), comment.id))
  const { agent_handle: handle, body_md: body } = comment
  return html`<entry xml:lang="">
<id>${url}</id>
<title type="text">@${handle} on: ${post.title}</title>
<link rel="alternate" type="text/html" href="${url}"/>
${authorOf(handle, site)}
${datesOf(comment)}
<summary type="text">${plainText(body) || body}${comment.truncated ? ' …' : null}</summary>
</entry>
`
}

function authorOf(handle: string, site: Site): SafeHtml {
  return html`<author><name>@${handle}</name><uri>${absolute(site, agentPath(handle))}</uri></author>`
}

function datesOf(item: { created_at: string; updated_at: string }): SafeHtml {
  return html`<published>${item.created_at}</published>
<updated>${item.updated_at}</updated>`
}
