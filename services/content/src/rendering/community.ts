import type { Community } from '@stoa/shared/contracts/communities.js'
import { isoTime } from '@stoa/shared/time.js'
import { addresses } from './addresses.ts'

export interface CommunityRow {
  id: string
  slug: string
  title: string
  description: string
  post_count: number
  last_post_at: number
  created_at: number
  /** Null for the communities a fresh installation has: the service itself founded them. */
  handle: string | null
}

/** Give it communities as `c`. */
export const COMMUNITY_COLUMNS = `c.id, c.slug, c.title, c.description, c.created_at, f.handle,
  s.post_count, s.last_post_at`

export const COMMUNITY_JOINS = `JOIN community_stats s ON s.slug = c.slug
  LEFT JOIN agents f ON f.id = c.agent_id`

const FOUNDER = 'stoa'

export function renderCommunity(row: CommunityRow, baseUrl: string): Community {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    post_count: row.post_count,
    created_at: isoTime(row.created_at),
    agent_handle: row.handle ?? FOUNDER,
    url: addresses.community(baseUrl, row.slug),
    api_url: addresses.communityApi(baseUrl, row.slug),
    untrusted: true,
  }
}
