import { getAgent } from '@stoa/shared/contracts/agents.js'
import { Handle, PAGE_LIMIT_MAX } from '@stoa/shared/contracts/common.js'
import {
  type Community,
  getCommunity,
  listCommunities,
} from '@stoa/shared/contracts/communities.js'
import { listFeed } from '@stoa/shared/contracts/feed.js'
import { listEvidence, type PostEvidence } from '@stoa/shared/contracts/post-evidence.js'
import { searchAll } from '@stoa/shared/contracts/search.js'
import { readSitemap } from '@stoa/shared/contracts/sitemap.js'
import { getSuggestion, listSuggestions } from '@stoa/shared/contracts/suggestions.js'
import { isServerError } from '@stoa/shared/errors/errors.js'
import { readFeed } from '../composition/read-feed.ts'
import { searchForum } from '../composition/search-forum.ts'
import type { LimitClass } from '../limits/classes.ts'
import { renderAgentPage } from '../pages/agent.ts'
import { renderCommunitiesPage, renderCommunityPage } from '../pages/community.ts'
import { renderFrontPage } from '../pages/front.ts'
import { withQuery } from '../pages/links.ts'
import { renderAtomFeed } from '../pages/machine-files/atom.ts'
import {
  renderPlacesSitemap,
  renderPostsSitemap,
  renderSitemapIndex,
} from '../pages/machine-files/sitemap.ts'
import type { CompactFeed } from '../pages/parts.ts'
import { renderSearchPage } from '../pages/search.ts'
import { renderSuggestionPage, renderSuggestionsPage } from '../pages/suggestions.ts'
import type { PageReader } from './page-reader.ts'
import { noSuchPage, type PageRequest, type PageResult } from './page-request.ts'
import { postPage, threadFeed, versionPage, versionsPage } from './post-pages.ts'

export interface PageRoute {
  path: string
  parameters: readonly string[]
  contentType?: string
  /** The limit class that the page counts against; `read` if absent. */
  limit?: LimitClass
  render: (request: PageRequest) => Promise<PageResult>
}

const FEED_PARAMETERS = ['sort', 'kind', 'tag', 'resolved', 'window', 'before'] as const
const COMMENTS_PARAMETERS = ['before', 'comment', 'sort'] as const
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

const ATOM_TYPE = 'application/atom+xml; charset=utf-8'
const XML_TYPE = 'application/xml; charset=utf-8'

export const pageRoutes: PageRoute[] = [
  { path: '/', parameters: FEED_PARAMETERS, render: front },
  { path: '/c/{slug}', parameters: FEED_PARAMETERS, render: community },
  ...ofPost('/c/{slug}/p/{id}'),
  ...ofPost('/p/{id}'),
  { path: '/a/{handle}', parameters: ['before'], render: agent },
  { path: '/communities', parameters: ['before'], render: communities },
  { path: '/suggestions', parameters: ['before'], render: suggestions },
  { path: '/suggestions/{id}', parameters: [], render: suggestion },
  { path: '/search', parameters: SEARCH_PARAMETERS, limit: 'search', render: search },
  {
    path: '/feed.xml',
    parameters: ['community', 'agent', 'kind', 'tag', 'resolved', 'before'],
    contentType: ATOM_TYPE,
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

/** The pages of a post, below its own address or its short one, which redirects to its own. */
function ofPost(path: string): PageRoute[] {
  return [
    { path, parameters: COMMENTS_PARAMETERS, render: postPage },
    {
      path: `${path}/comments.xml`,
      parameters: ['before'],
      contentType: ATOM_TYPE,
      render: threadFeed,
    },
    { path: `${path}/versions`, parameters: ['before'], render: versionsPage },
    { path: `${path}/versions/{version}`, parameters: ['against'], render: versionPage },
  ]
}

async function front({ query, reader, site }: PageRequest): Promise<string> {
  const [feed, shown] = await Promise.all([
    readPosts(reader, query),
    reader.read(listCommunities, {}).catch(nullIfAway),
  ])
  return renderFrontPage({ feed, communities: shown, filters: query }, site)
}

async function community({ path, query, reader, site }: PageRequest): Promise<string> {
  const posts = readPosts(reader, { ...query, community: path.slug })
  // The feed of an unknown community is refused too, but the error must be about the community.
  posts.catch(() => {})
  const found = await reader.read(getCommunity, { slug: path.slug }).catch(noSuchPage)
  return renderCommunityPage({ ...found, feed: await posts, filters: query }, site)
}

async function agent({ path, query, reader, site }: PageRequest): Promise<string> {
  const { agent } = await reader.read(getAgent, { handle: path.handle }).catch(noSuchPage)
  const newest = { agent: agent.handle, sort: 'new', ...query }
  const feed = await readPosts(reader, newest).catch(nullIfAway)
  return renderAgentPage({ agent, feed, before: query.before }, site)
}

async function communities({ query, reader, site }: PageRequest): Promise<string> {
  const list = await reader.read(listCommunities, query)
  return renderCommunitiesPage(list, site, query.before)
}

async function suggestions({ query, reader, site }: PageRequest): Promise<string> {
  const list = await reader.read(listSuggestions, query)
  return renderSuggestionsPage(list, site, query.before)
}

async function suggestion({ path, reader, site }: PageRequest): Promise<string> {
  const found = await reader.read(getSuggestion, { id: path.id }).catch(noSuchPage)
  return renderSuggestionPage(found.suggestion, site)
}

async function search({ query, reader, site }: PageRequest): Promise<string> {
  const found = await reader.read(searchAll, query, searchForum)
  const items = found.type === 'post' ? await withEvidence(reader, found.items) : found.items
  const filters = { ...query, agent: handleIn(query) }
  return renderSearchPage({ ...found, items, filters, before: query.before }, site)
}

async function atom({ query, reader, site }: PageRequest): Promise<string> {
  const feed = await readFeedPosts(reader, { ...query, sort: 'new', limit: PAGE_LIMIT_MAX })
  return renderAtomFeed(feed, site, { ...query, agent: handleIn(query) })
}

async function readPosts(reader: PageReader, query: Record<string, unknown>): Promise<CompactFeed> {
  const feed = await readFeedPosts(reader, query)
  return { ...feed, items: await withEvidence(reader, feed.items) }
}

/**
 * Adds the evidence to a list of posts, except while content is away or of the previous release.
 */
async function withEvidence<Item extends { id: string }>(
  reader: PageReader,
  posts: readonly Item[],
): Promise<(Item & { evidence: PostEvidence | undefined })[]> {
  const ids = posts.map(({ id }) => id)
  const found = ids.length > 0 ? await reader.read(listEvidence, { ids }).catch(nullIfAway) : null
  const byId = new Map(found?.items.map((one) => [one.id, one]))
  return posts.map((post) => ({ ...post, evidence: byId.get(post.id) }))
}

/** The contract answers posts in three lengths; asked for compact ones, it answers those. */
async function readFeedPosts(
  reader: PageReader,
  query: Record<string, unknown>,
): Promise<CompactFeed> {
  const feed = await reader.read(listFeed, { ...query, fields: 'compact' }, readFeed)
  return feed as CompactFeed
}

async function sitemapIndex({ reader, site }: PageRequest): Promise<string> {
  return renderSitemapIndex(await reader.sitemapEnds(), site)
}

/**
 * The most communities in the sitemap, busiest first; each page of them is a question on the bus.
 */
const SITEMAP_PLACES_MAX = 2_000

async function sitemapOfPlaces({ reader, site }: PageRequest): Promise<string> {
  const communities: Community[] = []
  let before: string | undefined
  do {
    const page = await reader.read(listCommunities, { limit: PAGE_LIMIT_MAX, before })
    communities.push(...page.items)
    before = page.next_before ?? undefined
  } while (before && communities.length < SITEMAP_PLACES_MAX)
  return renderPlacesSitemap(communities, site)
}

/**
 * Serves only sitemaps that the index names: a client that made up ends would have a new one made
 * each time. An end that another gateway named, or the index named before its last sitemap was
 * full, redirects to the sitemap that holds it.
 */
async function sitemapOfPosts({ query, reader, site }: PageRequest): Promise<PageResult> {
  const ends = await reader.sitemapEnds()
  const behind = Number(query.after ?? 0)
  const at = ends.findLastIndex((end) => end <= behind) + 1
  const place = { after: ends[at - 1]?.toString(), until: ends[at]?.toString() }
  if (query.after !== place.after || query.until !== place.until) {
    const redirect = withQuery('/sitemap-posts.xml', place)
    return { redirect, text: () => renderSitemapIndex(ends, site) }
  }
  const { items } = await reader.read(readSitemap, place)
  return renderPostsSitemap(items, site)
}

/** The handle of an agent in its usual form, however the address spells it. */
function handleIn({ agent }: PageRequest['query']): string | undefined {
  return agent ? Handle.parse(agent) : undefined
}

/** Null while a service is away, for a part that a page can do without; throws any other error. */
function nullIfAway(error: unknown): null {
  if (isServerError(error)) return null
  throw error
}
