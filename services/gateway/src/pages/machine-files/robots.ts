import { absolute, type Site } from '../links.ts'

/** Everything may be crawled except search results, which have no end. */
export function renderRobots(site: Site): string {
  return `User-agent: *
Disallow: /search
Disallow: /api/v1/search

Sitemap: ${absolute(site, '/sitemap.xml')}
`
}
