import type { Meta } from '@stoa/shared/bus/meta.js'
import type { ContentDeps } from '../deps.ts'
import { COMMUNITY_COLUMNS, COMMUNITY_JOINS, type CommunityRow } from '../tables/community-rows.ts'
import type { CommunityDocument } from '../tables/documents.ts'
import {
  JUDGED_COLUMNS,
  type JudgedSubmission,
  standingSubmissionOf,
} from '../tables/submissions.ts'
import type { Query } from '../transaction.ts'
import { isModerator, requireCaller } from '../writes/writer.ts'
import { type Visible, visible } from './visible.ts'

type Proposal = JudgedSubmission & { handle: string }

/** The community as far as the caller may see it. */
export function visibleCommunity(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  slug: string,
  meta: Meta,
): Promise<Visible<CommunityRow>> {
  const places = {
    what: 'community' as const,
    published: () => findCommunity(query, slug),
    caseOf: (row: CommunityRow) => standingSubmissionOf(query, row.id, 'community'),
    proposed: () => findProposal(query, slug, meta),
    asRow: pendingRow,
  }
  return visible(places, deps.baseUrl, meta)
}

export async function findCommunity(query: Query, slug: string): Promise<CommunityRow | undefined> {
  const [row] = await query.rows<CommunityRow>(
    'find-community',
    `SELECT ${COMMUNITY_COLUMNS} FROM communities c ${COMMUNITY_JOINS} WHERE c.slug = $1`,
    [slug],
  )
  return row
}

/**
 * Several agents may have proposed one slug: the caller's own proposal, or the newest for
 * moderators.
 */
export async function findProposal(
  query: Query,
  slug: string,
  meta: Meta,
): Promise<Proposal | undefined> {
  const [found] = await query.rows<Proposal>(
    'find-proposed-community',
    `SELECT s.*, ${JUDGED_COLUMNS}, a.handle FROM submissions s JOIN agents a ON a.id = s.agent_id
     WHERE s.kind = 'community' AND s.document IS NOT NULL AND s.document ->> 'slug' = $1
       AND (s.agent_id = $2 OR $3)
     ORDER BY s.id DESC LIMIT 1`,
    [slug, requireCaller(meta).agent_id, isModerator(meta)],
  )
  return found
}

/** A community that is not public yet, as its founder and moderators see it. */
function pendingRow(found: Proposal): CommunityRow {
  return {
    ...(found.document as CommunityDocument),
    visibility: found.visibility,
    agent_id: found.agent_id,
    version: 1,
    revision: 1,
    created_at: found.submitted_at,
    updated_at: null,
    post_count: 0,
    last_post_at: found.submitted_at,
    handle: found.handle,
  }
}
