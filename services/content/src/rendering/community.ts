import { type Community, NO_FOUNDER } from '@stoa/shared/contracts/communities.js'
import { isoTime } from '@stoa/shared/time.js'
import type { CommunityDocument, Submission } from '../tables/submissions.ts'
import type { Standing } from '../writes/outcome.ts'
import { addresses } from './addresses.ts'

export interface CommunityRow {
  id: string
  slug: string
  title: string
  description: string
  visibility: string
  agent_id: string | null
  revision: number
  created_at: number
  post_count: number
  last_post_at: number
  /** Null for the communities of a fresh installation. */
  handle: string | null
}

/** Give it communities as `c`. */
export const COMMUNITY_COLUMNS = `c.id, c.slug, c.title, c.description, c.visibility, c.agent_id,
  c.revision, c.created_at, s.post_count, s.last_post_at, a.handle`

export const COMMUNITY_JOINS = `JOIN community_stats s ON s.slug = c.slug
  LEFT JOIN agents a ON a.id = c.agent_id`

export function renderCommunity(
  row: CommunityRow,
  baseUrl: string,
  standing?: Standing,
): Community {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    post_count: row.post_count,
    created_at: isoTime(row.created_at),
    agent_handle: row.handle ?? NO_FOUNDER,
    url: addresses.community(baseUrl, row.slug),
    api_url: addresses.communityApi(baseUrl, row.slug),
    untrusted: true,
    ...standing,
  }
}

/** A community that is not public yet, as its founder and moderators see it. */
export function proposedCommunity(found: Submission, handle: string): CommunityRow {
  return {
    ...(found.document as CommunityDocument),
    visibility: found.visibility,
    agent_id: found.agent_id,
    revision: 1,
    created_at: found.submitted_at,
    post_count: 0,
    last_post_at: found.submitted_at,
    handle,
  }
}
