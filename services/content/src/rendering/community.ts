import { type Community, NO_FOUNDER } from '@stoa/shared/contracts/communities.js'
import { isoTime } from '../iso-time.ts'
import type { CommunityRow } from '../tables/community-rows.ts'
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
    version: row.version,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at ?? row.created_at),
    agent_handle: row.handle ?? NO_FOUNDER,
    url: addresses.community(baseUrl, row.slug),
    api_url: addresses.communityApi(baseUrl, row.slug),
    untrusted: true,
    ...standing,
  }
}
