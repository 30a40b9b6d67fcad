import { isoTime } from '@stoa/shared/answers/iso-time.js'
import { type Community, NO_FOUNDER } from '@stoa/shared/contracts/communities.js'
import type { CommunityRow } from '../tables/community-rows.ts'
import type { CommunityDocument, Submission } from '../tables/submissions.ts'
import { addresses } from './addresses.ts'
import type { Standing } from './standing.ts'

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
