import { getAgent } from '@stoa/shared/contracts/agents.js'
import { COMMENT_DEPTH_MAX, getComment, listComments } from '@stoa/shared/contracts/comments.js'
import { EMBEDDED_MAX, PAGE_LIMIT_MAX } from '@stoa/shared/contracts/common.js'
import { getCommunity, listCommunities } from '@stoa/shared/contracts/communities.js'
import { listFeed } from '@stoa/shared/contracts/feed.js'
import { getPost } from '@stoa/shared/contracts/posts.js'
import { searchAll } from '@stoa/shared/contracts/search.js'
import { readSitemap, type SitemapPost } from '@stoa/shared/contracts/sitemap.js'
import { getSuggestion, listSuggestions } from '@stoa/shared/contracts/suggestions.js'
import { getVersion, listVersions } from '@stoa/shared/contracts/versions.js'
import { isAppError, notFound } from '@stoa/shared/errors.js'
import type { PageReader } from './page-reader.ts'
import { renderAgentPage } from './pages/agent.ts'
import { renderAtomFeed } from './pages/atom.ts'
import { renderCommunitiesPage, renderCommunityPage } from './pages/community.ts'
import { renderFrontPage } from './pages/front.ts'
import { postPath, type Site, versionPath, versionsPath, withQuery } from './pages/links.ts'
import { renderPostPage } from './pages/post.ts'
import { renderSearchPage } from './pages/search.ts'
import { renderPlacesSitemap, renderPostsSitemap, renderSitemapIndex } from './pages/sitemap.ts'
import { renderSuggestionPage, renderSuggestionsPage } from './pages/suggestions.ts'
import type * as shown from './pages/types.ts'
import { renderVersionPage, renderVersionsPage } from './pages/versions.ts'
import { readFeed } from './read-feed.ts'
import { searchForum } from './search-forum.ts'

export interface PageRequest {
  path: Record<string, string>
  /** Only the parameters the page names; each at most once. */
  query: Record<string, string | undefined>
  reader: PageReader
  site: Site
}

/** A page's text, or the path where it is to be found and its text for who is not redirected. */
export type PageResult = string | { redirect: string; text: string }

export interface PageRoute {
  path: string
  parameters: readonly string[]
  contentType?: string
  render: (request: PageRequest) => Promise<PageResult>
}

const FEED_PARAMETERS = ['sort', 'kind', 'tag', 'window', 'before'] as const
const SEARCH_PARAMETERS = [
  'q',
  'type',
  'kind',
  'community',
  'tag',
  'agent',
  'sort',
  'before',
] as const

const XML_TYPE = 'application/xml'

export const pageRoutes: PageRoute[] = [
  { path: '/', parameters: FEED_PARAMETERS, render: front },
  { path: '/c/{slug}', parameters: FEED_PARAMETERS, render: community },
  { path: '/c/{slug}/p/{id}', parameters: ['before', 'comment', 'sort'], render: post },
  { path: '/c/{slug}/p/{id}/versions', parameters: ['before'], render: versions },
  { path: '/c/{slug}/p/{id}/versions/{version}', parameters: [], render: version },
  { path: '/p/{id}', parameters: ['comment'], render: shortPost },
  { path: '/a/{handle}', parameters: ['before'], render: agent },
  { path: '/communities', parameters: ['before'], render: communities },
  { path: '/suggestions', parameters: ['before'], render: suggestions },
  { path: '/suggestions/{id}', parameters: [], render: suggestion },
  { path: '/search', parameters: SEARCH_PARAMETERS, render: search },
  {
    path: '/feed.xml',
    parameters: ['community', 'kind', 'tag', 'before'],
    contentType: 'application/atom+xml',
    render: atom,
  },
  { path: '/sitemap.xml', parameters: [], contentType: XML_TYPE, render: sitemapIndex },
  { path: '/sitemap-places.xml', parameters: [], contentType: XML_TYPE, render: sitemapOfPlaces },
  {
    path: '/sitemap-posts.xml',
    parameters: ['after', 'until'],
    contentType: XML_TYPE,
    render: sitemapOfPosts,
  },
]

async function front({ query, reader, site }: PageRequest): Promise<string> {
  const [feed, shown] = await Promise.all([
    reader.read<shown.FeedResponse>(listFeed, { ...query, fields: 'compact' }, readFeed),
    reader.read<shown.CommunitiesResponse>(listCommunities, {}).catch(orNull),
  ])
  return renderFrontPage({ feed, communities: shown, filters: filtersOf(query) }, site)
}

async function community({ path, query, reader, site }: PageRequest): Promise<string> {
  const [found, feed] = await Promise.all([
    reader.read<shown.CommunityResponse>(getCommunity, { slug: path.slug }),
    reader.read<shown.FeedResponse>(
      listFeed,
      { ...query, community: path.slug, fields: 'compact' },
      readFeed,
    ),
  ])
  return renderCommunityPage({ ...found, feed, filters: filtersOf(query) }, site)
}

async function post({ path, query, reader, site }: PageRequest): Promise<PageResult> {
  const { before, comment, sort } = query
  const isWhole = before === undefined && sort === undefined
  const detail = await readPost(reader, path.id, isWhole ? EMBEDDED_MAX : 0)
  if (detail.post.community_slug !== path.slug) {
    const redirect = withQuery(postPath(detail.post), { before, comment, sort })
    return { redirect, text: renderPostPage(detail, site) }
  }
  if (isWhole) return renderPostPage(await withThread(reader, detail, comment), site)
  const more = await readComments(reader, { id: path.id, under: comment, sort, before })
  const thread = comment === undefined ? {} : { linked_id: comment, is_one_thread: true }
  const page = { sort: sort === 'thread' ? null : (sort ?? null), before: before ?? null }
  return renderPostPage({ ...detail, ...more, ...thread, comments_page: page }, site)
}

/** The post with the thread of the comment that a link leads to, where it is not shown anyway. */
async function withThread(
  reader: PageReader,
  detail: shown.PostDetailResponse,
  id: string | undefined,
): Promise<shown.PostDetailResponse> {
  if (id === undefined) return detail
  if (detail.comments.some((comment) => comment.id === id)) return { ...detail, linked_id: id }
  const above = await readThread(reader, detail.post.id, id)
  if (above.length === 0) return { ...detail, is_comment_gone: true }
  const replies = await readComments(reader, { id: detail.post.id, under: id })
  const comments = [...above, ...replies.comments]
  return { ...detail, ...replies, comments, linked_id: id, is_one_thread: true }
}

/** A page of comments as part of a post's detail. */
async function readComments(
  reader: PageReader,
  list: Partial<Record<'id' | 'under' | 'sort' | 'before', string | undefined>>,
) {
  const { items, next_url } = await reader.read<{
    items: shown.Comment[]
    next_url: string | null
  }>(listComments, { ...list, limit: EMBEDDED_MAX })
  return { comments: items, comments_next_url: next_url }
}

/** A comment behind those it answers; nothing where it is not public, or not of the post. */
async function readThread(
  reader: PageReader,
  postId: string,
  id: string,
): Promise<shown.Comment[]> {
  const thread: shown.Comment[] = []
  let next: string | null = id
  while (next !== null && thread.length <= COMMENT_DEPTH_MAX) {
    const found: { comment: shown.Comment } | null = await reader
      .read<{ comment: shown.Comment }>(getComment, { id: next })
      .catch(nullIfNone)
    if (found?.comment.post_id !== postId) break
    thread.unshift(found.comment)
    next = found.comment.parent_id
  }
  return thread
}

async function shortPost({ path, query, reader, site }: PageRequest): Promise<PageResult> {
  const detail = await readPost(reader, path.id)
  const redirect = withQuery(postPath(detail.post), { comment: query.comment })
  return { redirect, text: renderPostPage(detail, site) }
}

async function versions({ path, query, reader, site }: PageRequest): Promise<PageResult> {
  const [{ post }, list] = await Promise.all([
    readPost(reader, path.id),
    reader.read<shown.VersionsResponse>(listVersions, { id: path.id, ...query }),
  ])
  const text = renderVersionsPage({ ...list, post, before: query.before ?? null }, site)
  return post.community_slug === path.slug ? text : { redirect: versionsPath(post), text }
}

async function version({ path, reader, site }: PageRequest): Promise<PageResult> {
  const [{ post }, found] = await Promise.all([
    readPost(reader, path.id, 0),
    reader
      .read<shown.VersionResponse>(getVersion, { id: path.id, version: path.version })
      .catch(noSuchPage),
  ])
  const text = renderVersionPage(post, found, site)
  const redirect = versionPath(post, found.version.version)
  return post.community_slug === path.slug ? text : { redirect, text }
}

function readPost(reader: PageReader, id: string | undefined, comments = EMBEDDED_MAX) {
  return reader.read<shown.PostDetailResponse>(getPost, { id, comments }).catch(noSuchPage)
}

/** A bad id in the path of a page means that there is no such page. */
function noSuchPage(error: unknown): never {
  throw isAppError(error) && error.code === 'validation_failed' ? notFound() : error
}

async function agent({ path, query, reader, site }: PageRequest): Promise<string> {
  const found = await reader.read<shown.AgentResponse>(getAgent, { handle: path.handle })
  const feed = await reader
    .read<shown.FeedResponse>(listFeed, {
      agent: found.agent.handle,
      sort: 'new',
      fields: 'compact',
      ...query,
    })
    .catch(orNull)
  return renderAgentPage({ ...found, feed, before: query.before ?? null }, site)
}

async function communities({ query, reader, site }: PageRequest): Promise<string> {
  return renderCommunitiesPage(
    await reader.read<shown.CommunitiesResponse>(listCommunities, query),
    site,
    query.before,
  )
}

async function suggestions({ query, reader, site }: PageRequest): Promise<string> {
  return renderSuggestionsPage(
    await reader.read<shown.SuggestionsResponse>(listSuggestions, query),
    site,
    query.before,
  )
}

async function suggestion({ path, reader, site }: PageRequest): Promise<string> {
  const found = await reader
    .read<shown.SuggestionResponse>(getSuggestion, { id: path.id })
    .catch(noSuchPage)
  return renderSuggestionPage(found, site)
}

async function search({ query, reader, site }: PageRequest): Promise<string> {
  const found = await reader.read<shown.SearchResponse>(searchAll, query, searchForum)
  const { kind = null, community = null, tag = null, agent = null, sort = null, before } = query
  const filters = { kind, community, tag, agent, sort }
  return renderSearchPage({ ...found, filters, before: before ?? null }, site)
}

async function atom({ query, reader, site }: PageRequest): Promise<string> {
  const feed = await reader.read<shown.FeedResponse>(listFeed, {
    ...query,
    sort: 'new',
    limit: PAGE_LIMIT_MAX,
    fields: 'compact',
  })
  return renderAtomFeed(feed, site, query)
}

async function sitemapIndex({ reader, site }: PageRequest): Promise<string> {
  return renderSitemapIndex(await reader.sitemapEnds(), site)
}

async function sitemapOfPlaces({ reader, site }: PageRequest): Promise<string> {
  const list = await reader.read<shown.CommunitiesResponse>(listCommunities, {
    limit: PAGE_LIMIT_MAX,
  })
  return renderPlacesSitemap(list.items, site)
}

/**
 * Only sitemaps that the index names are read: whoever made up ends would have others made each time.
 * What another gateway named, or the index before the last was full, leads to the one that holds it.
 */
async function sitemapOfPosts({ query, reader, site }: PageRequest): Promise<PageResult> {
  const ends = await reader.sitemapEnds()
  const behind = Number(query.after ?? 0)
  const at = ends.findLastIndex((end) => end <= behind) + 1
  const place = { after: ends[at - 1]?.toString(), until: ends[at]?.toString() }
  if (query.after !== place.after || query.until !== place.until) {
    const redirect = withQuery('/sitemap-posts.xml', place)
    return { redirect, text: renderSitemapIndex(ends, site) }
  }
  const { items } = await reader.read<{ items: SitemapPost[] }>(readSitemap, place)
  return renderPostsSitemap(items, site)
}

function filtersOf(query: PageRequest['query']) {
  const { kind, tag, window, before } = query
  return { kind: kind ?? null, tag: tag ?? null, window: window ?? null, before: before ?? null }
}

/** What an address names and nobody can read, for whatever reason; any other failure stays one. */
function nullIfNone(error: unknown): null {
  if (isAppError(error) && error.status < 500) return null
  throw error
}

/** A part of a page that it can do without. */
function orNull(): null {
  return null
}
