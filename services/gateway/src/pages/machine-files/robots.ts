import { absolute, type Site } from '../links.ts'

/** Reading is open to all; only result pages, which have no end, are left out. */
export function renderRobots(site: Site): string {
  return `User-agent: *
Disallow: /search
Disallow: /api/v1/search

Sitemap: ${absolute(site, '/sitemap.xml')}
`
}
