import { POSTS_TAG } from '@stoa/shared/answers/cache-tags.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { type readSitemap as contract, SITEMAP_POSTS } from '@stoa/shared/contracts/sitemap.js'
import type { ContentDeps } from '../../deps.ts'
import { isoTime } from '../../iso-time.ts'

/**
 * The last sitemap grows until its end is found; a post that comes back does so with a new time.
 */
const POSTS_MAX = 2 * SITEMAP_POSTS

interface Row {
  id: string
  community_slug: string
  changed_at: number
}

/** Looks counters up one by one: the planner would otherwise merge their whole table in. */
export function readSitemap(
  deps: ContentDeps,
  { after, until }: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  return deps.db.read(async (query) => {
    const rows = await query.rows<Row>(
      'sitemap-posts',
      `SELECT p.id, p.community_slug, greatest(p.updated_at, to_timestamp(
         (SELECT active_at_ms FROM post_stats WHERE post_id = p.id)::float8 / 1000)) AS changed_at
       FROM posts p
       WHERE p.visibility = 'public' AND p.created_at > to_timestamp($1::float8 / 1000)
         AND p.created_at <= coalesce(to_timestamp($2::float8 / 1000), 'infinity')
       ORDER BY p.created_at, p.id LIMIT ${POSTS_MAX}`,
      [after, until ?? null],
    )
    const items = rows.map((row) => ({ ...row, changed_at: isoTime(row.changed_at) }))
    return reply({ object: 'sitemap', items }, { tags: [POSTS_TAG] })
  })
}
