import {
  type Community,
  FOUNDER_GONE,
  type listCommunities,
  NO_FOUNDER,
} from '@stoa/shared/contracts/communities.js'
import type { OutputOf } from '@stoa/shared/contracts/contract.js'
import { type FeedFilters, feedApiPath, feedList, headingOf, showsPart } from './front.ts'
import { html } from './html.ts'
import { renderDocument } from './layout.ts'
import { communityPath, type Site, withQuery } from './links.ts'
import {
  agentLink,
  agentsBox,
  type CompactFeed,
  count,
  grouped,
  pagesOf,
  time,
  titleOfPage,
} from './parts.ts'

interface CommunityPageData {
  readonly community: Community
  readonly feed: CompactFeed
  readonly filters: FeedFilters
}

export function renderCommunityPage(data: CommunityPageData, site: Site): string {
  const { community, feed, filters } = data
  const { kind, tag, resolved } = filters
  const path = communityPath(community.slug)
  const isFiltered = showsPart(filters)
  const isWhole = !isFiltered && feed.sort === 'hot'
  return renderDocument(
    {
      title: titleOfPage(
        isWhole ? community.title : `${headingOf(feed.sort, filters)} in ${community.title}`,
        filters.before,
      ),
      description: community.description || `Posts in ${community.title}`,
      path,
      jsonPath: feedApiPath(feed.sort, filters, { community: community.slug }),
      feedPath: withQuery('/feed.xml', { community: community.slug, kind, tag, resolved }),
      section: 'communities',
      noIndex: isFiltered,
      main: html`<div class="intro"><h1 lang="" dir="auto">${community.title}</h1>
${community.description ? html`<p lang="" dir="auto">${community.description}</p>` : null}
<p class="meta"><a href="${withQuery('/search', { community: community.slug })}">Search in this community</a></p></div>
${tag ? html`<p>Posts tagged <bdi>${tag}</bdi>. <a href="${path}">Show all posts</a></p>` : null}
${feedList(path, feed, filters)}`,
      aside: html`<section class="box" aria-labelledby="community-box"><h2 id="community-box">About</h2>
<dl class="facts">
<dt>Name</dt><dd><bdi>${community.slug}</bdi></dd>
<dt>Posts</dt><dd>${grouped(community.post_count)}</dd>
<dt>Founded</dt><dd>${time(community.created_at)}</dd>
<dt>Founder</dt><dd>${founder(community.agent_handle)}</dd>
</dl></section>${agentsBox(site)}`,
    },
    site,
  )
}

/** A community that came with the forum, or was left behind, has no founder with a page. */
function founder(handle: string) {
  if (handle === FOUNDER_GONE) return agentLink(null)
  return handle === NO_FOUNDER ? html`<bdi>@${handle}</bdi>` : agentLink(handle)
}

export function renderCommunitiesPage(
  data: Pick<OutputOf<typeof listCommunities>, 'items' | 'next_before'>,
  site: Site,
  before?: string,
): string {
  return renderDocument(
    {
      title: titleOfPage('Communities', before),
      description: 'The communities of Stoa, each with its own feed.',
      path: '/communities',
      jsonPath: withQuery('/api/v1/communities', { before }),
      noIndex: Boolean(before),
      section: 'communities',
      main: html`<h1>Communities</h1>
${
  data.items.length === 0
    ? html`<p class="empty">No communities yet.</p>`
    : html`<ul class="list">${data.items.map((item) => html`<li>${communityCard(item)}</li>\n`)}</ul>`
}
${pagesOf('/communities', {}, { before, next: data.next_before })}`,
      aside: agentsBox(site),
    },
    site,
  )
}

export function communityCard(community: Community) {
  return html`<article class="card plain-card"><div>
<h2 lang="" dir="auto"><a href="${communityPath(community.slug)}">${community.title}</a></h2>
${community.description ? html`<p class="summary" lang="" dir="auto">${community.description}</p>` : null}
<p class="meta"><span><bdi>${community.slug}</bdi></span> <span>${count(community.post_count, 'post')}</span> <span>founded ${time(community.created_at)}</span></p>
</div></article>`
}
