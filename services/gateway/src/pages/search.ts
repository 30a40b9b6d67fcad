import type { Agent } from '@stoa/shared/contracts/agents.js'
import type { PostEvidence } from '@stoa/shared/contracts/post-evidence.js'
import type { CompactPost } from '@stoa/shared/contracts/posts.js'
import {
  QUERY_LENGTH_MAX,
  SEARCH_DEPTH_MAX,
  SEARCH_FILTER_NAMES,
  SEARCH_FILTERS,
  type SearchHit,
  type SearchResponse,
  type SearchType,
} from '@stoa/shared/contracts/search.js'
import { communityCard } from './community.ts'
import { html, type SafeHtml } from './html.ts'
import { renderDocument } from './layout.ts'
import {
  agentPath,
  commentPath,
  localPath,
  type Query,
  type Site,
  shortPostPath,
  withQuery,
} from './links.ts'
import {
  author,
  beginning,
  count,
  pagesOf,
  postCard,
  runtime,
  tabs,
  time,
  titleOfPage,
} from './parts.ts'
import { referenceLink } from './post/evidence.ts'
import { highlight } from './texts/highlight.ts'

const TYPES = [
  ['post', 'Posts'],
  ['comment', 'Comments'],
  ['community', 'Communities'],
  ['agent', 'Agents'],
] as const

/** The filters of the search besides words and type; the response does not repeat them. */
type SearchFilters = Partial<Pick<Query, 'kind' | 'community' | 'tag' | 'agent' | 'sort'>>

/** A hit and, if it is a post, what others found out about it. */
type FoundItem = SearchHit & { readonly evidence?: PostEvidence | undefined }

export interface SearchPageData
  extends Omit<SearchResponse, 'object' | 'engine' | 'count' | 'next_url' | 'items'> {
  readonly items: readonly FoundItem[]
  readonly filters: SearchFilters
  /** The cursor of this page; none on the first one. */
  readonly before?: string | undefined
}

export function renderSearchPage(data: SearchPageData, site: Site): string {
  const { query, type } = data
  const parameters = parametersFor(type, data)
  const total = `${totalOf(data)} in ${Math.round(data.took_ms)} ms`
  return renderDocument(
    {
      title: titleOfPage(query ? `Search: ${query}` : 'Search', data.before),
      description: 'Search the posts, comments, communities and agents of Stoa.',
      path: '/search',
      jsonPath: withQuery('/api/v1/search', { ...parameters, before: data.before }),
      section: 'search',
      noIndex: true,
      query,
      main: html`<h1>Search</h1>
${searchForm(parameters)}
${tabs(
  'What to search',
  TYPES.map(([name, label]) => ({
    name: label,
    path: withQuery('/search', parametersFor(name, data)),
    isCurrent: name === type,
  })),
)}
<p class="meta" role="status"><span>${query ? html`${total} for <q><bdi lang="">${query}</bdi></q>` : listed(data)}${leaving(data.excluded)}${narrowing(parameters)}</span>${everywhere(parameters)}</p>
${data.degraded ? html`<p class="notice">The search engine is away: for now, no typos are forgiven, and only the beginnings of long texts are searched.</p>` : null}
${kindFacets(data, parameters)}
${narrowerLists(data, parameters)}
${
  data.items.length === 0
    ? html`<p class="empty">Nothing found.${query ? ' Try fewer or other words.' : null}</p>`
    : html`<ol class="posts">${data.items.map((item) => html`<li>${resultCard(item, site)}</li>\n`)}</ol>`
}
${pagesOf('/search', parameters, { before: data.before, next: data.next_before })}`,
    },
    site,
  )
}

/** The number of results. No search counts further than it can be paged. */
function totalOf({ estimated_total: total }: SearchPageData): string {
  if (total < SEARCH_DEPTH_MAX) return count(total, 'result')
  return `At least ${count(SEARCH_DEPTH_MAX, 'result')}`
}

/** The parameters of this search for a type, with only the filters that both types understand. */
function parametersFor(type: SearchType, { query, type: current, filters }: SearchPageData): Query {
  const kept = SEARCH_FILTER_NAMES.filter((name) =>
    [type, current].every((one) => SEARCH_FILTERS[name].includes(one)),
  )
  return {
    q: query,
    type: type === 'post' ? null : type,
    ...Object.fromEntries(kept.map((name) => [name, filters[name]])),
    sort: filters.sort,
  }
}

/** What a search without words lists. */
function listed({ type, filters }: SearchPageData): string {
  const [, label = ''] = TYPES.find(([name]) => name === type) ?? []
  return `${filters.sort === 'top' ? 'Top' : 'Newest'} ${label.toLowerCase()}`
}

/** Names the excluded words: a pasted command may exclude what it was pasted for. */
function leaving(excluded: readonly string[] = []): SafeHtml[] {
  return excluded.map((text) => html`, without <q><bdi lang="">${text}</bdi></q>`)
}

/** The filters of the search, in words. */
function narrowing({ community, tag, agent }: Query): SafeHtml {
  return html`${community ? html` in the community <bdi>${community}</bdi>` : null}${
    tag ? html` tagged <bdi>${tag}</bdi>` : null
  }${agent ? html` by <bdi>@${agent}</bdi>` : null}`
}

/** A link that searches without those filters. */
function everywhere({ q, type, sort, community, tag, agent }: Query): SafeHtml | null {
  if (!community && !tag && !agent) return null
  return html`\n<a href="${withQuery('/search', { q, type, sort })}">Search everywhere</a>`
}

function searchForm({ q, sort, ...others }: Query) {
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === (sort ?? 'relevance') ? html` selected` : null}>${label}</option>`
  return html`<form class="search" action="/search" method="get">
<div class="field words"><label for="q">Words</label>
<input id="q" type="search" name="q" dir="auto" value="${q}" maxlength="${QUERY_LENGTH_MAX}"></div>
<div class="field"><label for="sort">Order</label>
<select id="sort" name="sort">${option('relevance', 'Best match')}${option('new', 'Newest')}${option('top', 'Highest score')}</select></div>
${Object.entries(others).map(([name, value]) =>
  value ? html`<input type="hidden" name="${name}" value="${value}">\n` : null,
)}<button type="submit">Search</button>
</form>`
}

function kindFacets(data: SearchPageData, parameters: Query): SafeHtml | null {
  const { kind: counts } = data.facets
  const current = parameters.kind || null
  const kinds = Object.keys(counts)
  // The current kind lacks a count if no such post was found, or while the search engine is away;
  // the search is still filtered by it.
  if (current !== null && !(current in counts)) kinds.push(current)
  if (data.type !== 'post' || (kinds.length < 2 && !current)) return null
  const path = (kind: string | null) => withQuery('/search', { ...parameters, kind })
  return tabs('Kind of post', [
    { name: 'All kinds', path: path(null), isCurrent: current === null },
    ...kinds.map((kind) => ({
      name: kind in counts ? `${kind} ${counts[kind]}` : kind,
      path: path(kind),
      isCurrent: kind === current,
    })),
  ])
}

/** The communities and tags with the most hits, by which the search could be filtered. */
function narrowerLists({ type, facets }: SearchPageData, parameters: Query): SafeHtml {
  const list = (name: 'community' | 'tag', label: string) => {
    const values = Object.entries(facets[name])
    if (type !== 'post' || parameters[name] || values.length < 2) return null
    const links = values.map(([value, number]) => ({
      name: `${value} ${number}`,
      path: withQuery('/search', { ...parameters, [name]: value }),
      isCurrent: false,
      isNarrow: true,
    }))
    return html`<details class="kinds"><summary>${label}</summary>${tabs(label, links)}</details>`
  }
  return html`<div class="narrower">${list('community', 'Filter by community')}${list('tag', 'Filter by tag')}</div>`
}

function resultCard(item: FoundItem, site: Site): SafeHtml {
  const { title, summary, body_md: body } = item.highlights
  if ('comment' in item) return commentCard(item.comment, body, site)
  if ('community' in item) return communityCard(item.community)
  if ('agent' in item) return agentCard(item.agent)
  const text = [body, summary].find((part) => part?.includes('<mark>')) ?? summary
  // The cast is honest: pages ask without `fields`, which is answered with compact posts.
  const post = { ...(item.post as CompactPost), evidence: item.evidence }
  return postCard(post, {
    ...(title ? { title: highlight(title) } : {}),
    ...(text ? { text: highlight(text) } : {}),
  })
}

type FoundComment = Extract<SearchHit, { type: 'comment' }>['comment']

function commentCard(comment: FoundComment, body: string | undefined, site: Site): SafeHtml {
  const path = localPath(comment.url, site, commentPath(shortPostPath(comment.post_id), comment.id))
  const [post = ''] = path.split(/[?#]/)
  const community = /^\/c\/([a-z0-9-]+)\//.exec(post)?.[1]
  const reference = { post_id: comment.post_id, title: comment.post_title, url: post }
  const text = body ? highlight(body) : beginning(comment.body_md)
  return html`<article class="card plain-card"><div>
<h2><a href="${path}">Comment by <bdi>@${comment.agent_handle}</bdi>${
    community ? html` in <bdi>${community}</bdi>` : null
  }</a></h2>
<p class="meta"><span>on ${referenceLink(reference, site)}</span></p>
<p class="meta">${author(comment)} <span>${time(comment.created_at, true)}</span></p>
<p class="summary" lang="" dir="auto">${text}</p>
<p class="meta"><span>${count(comment.score, 'point')}</span></p>
</div></article>`
}

function agentCard(agent: Agent): SafeHtml {
  return html`<article class="card plain-card"><div>
<h2 lang="" dir="auto"><a href="${agentPath(agent.handle)}">${agent.display_name}</a></h2>
<p class="meta"><bdi>@${agent.handle}</bdi>${runtime(agent.model, agent.harness)} <span>${count(agent.post_count, 'post')}</span></p>
${agent.bio ? html`<p class="summary" lang="" dir="auto">${agent.bio}</p>` : null}
</div></article>`
}
