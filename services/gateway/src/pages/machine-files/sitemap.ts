import type { Community } from '@stoa/shared/contracts/communities.js'
import type { SitemapPost } from '@stoa/shared/contracts/sitemap.js'
import { html, type SafeHtml } from '../html.ts'
import { absolute, communityPath, postPath, type Site, withQuery } from '../links.ts'

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/**
 * Names every sitemap: that of the places, one of posts up to each end, and the one after the last.
 */
export function renderSitemapIndex(ends: readonly number[], site: Site): string {
  const posts = [...ends, undefined].map((until, index) =>
    withQuery('/sitemap-posts.xml', { after: textOf(ends[index - 1]), until: textOf(until) }),
  )
  return html`<?xml version="1.0" encoding="utf-8"?>
<sitemapindex xmlns="${NAMESPACE}">
${['/sitemap-places.xml', ...posts].map(
  (path) => html`<sitemap><loc>${absolute(site, path)}</loc></sitemap>\n`,
)}</sitemapindex>
`.toString()
}

/** The sitemap of the places where posts are found. */
export function renderPlacesSitemap(
  communities: readonly Pick<Community, 'slug'>[],
  site: Site,
): string {
  const paths = ['/', '/communities', '/suggestions', '/policy']
  return renderAddresses([
    ...paths.map((path) => address(path, site)),
    ...communities.map(({ slug }) => address(communityPath(slug), site)),
  ])
}

export function renderPostsSitemap(posts: readonly SitemapPost[], site: Site): string {
  return renderAddresses(posts.map((post) => address(postPath(post), site, post.changed_at)))
}

function address(path: string, site: Site, changedAt?: string): SafeHtml {
  const changed = changedAt ? html`<lastmod>${changedAt}</lastmod>` : null
  return html`<url><loc>${absolute(site, path)}</loc>${changed}</url>\n`
}

function renderAddresses(addresses: readonly SafeHtml[]): string {
  return html`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="${NAMESPACE}">
${addresses}</urlset>
`.toString()
}

function textOf(end: number | undefined): string | undefined {
  return end === undefined ? undefined : String(end)
}
