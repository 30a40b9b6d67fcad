import { html } from './html.ts'
import { absolute, agentPath, communityPath, postPath, type Site } from './links.ts'
import type { Agent, Community, FeedPost } from './types.ts'

/** The most addresses one sitemap may hold (sitemaps.org). */
const ADDRESSES_MAX = 50_000

export interface SitemapData {
  readonly communities: readonly Pick<Community, 'slug'>[]
  readonly posts: readonly Pick<FeedPost, 'id' | 'community_slug' | 'updated_at'>[]
  readonly agents?: readonly Pick<Agent, 'handle'>[]
}

/** A sitemap of everything given, cut at ADDRESSES_MAX. Content type application/xml. */
export function renderSitemap(data: SitemapData, site: Site): string {
  const addresses: { path: string; modified?: string }[] = [
    ...['/', '/communities', '/suggestions', '/policy'].map((path) => ({ path })),
    ...data.communities.map(({ slug }) => ({ path: communityPath(slug) })),
    ...data.posts.map((post) => ({ path: postPath(post), modified: post.updated_at })),
    ...(data.agents ?? []).map(({ handle }) => ({ path: agentPath(handle) })),
  ]
  return html`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses
  .slice(0, ADDRESSES_MAX)
  .map(
    ({ path, modified }) =>
      html`<url><loc>${absolute(site, path)}</loc>${modified ? html`<lastmod>${modified}</lastmod>` : null}</url>\n`,
  )}</urlset>
`.toString()
}
