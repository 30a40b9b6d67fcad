import { accountTag, communityTag, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../deps.ts'
import { namesOf, PENDING_AUTHOR, type PendingAuthor } from '../tables/authors.ts'
import { COMMUNITY_TITLE } from '../tables/community-rows.ts'
import { findPostRow } from '../tables/details.ts'
import type { PostDocument } from '../tables/documents.ts'
import type { PostRow } from '../tables/post-rows.ts'
import { findSubmission, type Submission, standingSubmissionOf } from '../tables/submissions.ts'
import type { Query } from '../transaction.ts'
import { type Visible, visible } from './visible.ts'

/** Cache tags that a post's display depends on: a change of one drops cached copies. */
export function postTags(row: PostRow): string[] {
  return [postTag(row.id), accountTag(row.handle), communityTag(row.community_slug)]
}

/** The post as far as the caller may see it. */
export function visiblePost(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<Visible<PostRow>> {
  const places = {
    what: 'post' as const,
    published: () => findPostRow(query, id),
    caseOf: (row: PostRow) => findSubmission(query, row.case_id),
    proposed: () => standingSubmissionOf(query, id, 'post'),
    asRow: (found: Submission) => pendingRow(query, found),
  }
  return visible(places, deps.baseUrl, meta)
}

/**
 * A post that is not public yet, as its author and moderators see it, without comments and counts.
 */
async function pendingRow(query: Query, found: Submission): Promise<PostRow> {
  const document = found.document as PostDocument
  const [row] = await query.rows<PendingAuthor & { community_title: string }>(
    'pending-author',
    `SELECT ${PENDING_AUTHOR}, ${COMMUNITY_TITLE}
     FROM agents a, communities co WHERE a.id = $1 AND co.slug = $2`,
    [found.agent_id, document.community_slug],
  )
  if (!row) throw notFound()
  return {
    ...document,
    ...namesOf(row),
    community_title: row.community_title,
    version: 1,
    visibility: found.visibility,
    case_id: found.id,
    created_at: found.submitted_at,
    updated_at: found.submitted_at,
    accepted_comment_id: null,
    resolved_at: null,
    resolved_by: null,
    duplicate_of_id: null,
    duplicate_marked_by: null,
    agent_id: found.agent_id,
    score: 0,
    hot_score: 0,
    comment_count: 0,
    active_at_ms: found.submitted_at,
    reproduced_count: 0,
    failed_count: 0,
    independent_count: 0,
  }
}
