import { commentTag, POSTS_TAG, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { Visibility } from '@stoa/shared/contracts/common.js'
import { notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../deps.ts'
import { namesOf, PENDING_AUTHOR, type PendingAuthor } from '../tables/authors.ts'
import type { CommentRow } from '../tables/comment-rows.ts'
import {
  type Answered,
  findCommentRow,
  type OwnedComment,
  placeOfReply,
} from '../tables/comments.ts'
import type { CommentDocument } from '../tables/documents.ts'
import {
  findSubmission,
  type JudgedSubmission,
  type Submission,
  standingSubmissionOf,
} from '../tables/submissions.ts'
import type { Query } from '../transaction.ts'
import { type Visible, visible } from './visible.ts'

/**
 * Cache tags that a write of a comment drops; the account's tag would drop its cached keys as well.
 */
export function writtenCommentTags(row: CommentRow): string[] {
  return [commentTag(row.id), postTag(row.post_id), POSTS_TAG]
}

/**
 * The comment as far as the caller may see it. For strangers, it disappears together with its post.
 */
export function visibleComment(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<Visible<OwnedComment>> {
  const places = {
    what: 'comment' as const,
    published: () => findCommentRow(query, id),
    caseOf: (row: OwnedComment) => findSubmission(query, row.case_id),
    proposed: () => standingSubmissionOf(query, id, 'comment'),
    asRow: (found: Submission) => pendingRow(query, found),
  }
  return visible<OwnedComment, JudgedSubmission>(places, deps.baseUrl, meta)
}

interface Row extends PendingAuthor {
  community_slug: string
  post_visibility: Visibility
  answered: Answered | null
}

/** A comment that is not public yet, as its author and moderators see it. */
async function pendingRow(query: Query, found: Submission): Promise<OwnedComment> {
  const document = found.document as CommentDocument
  const [row] = await query.rows<Row>(
    'pending-comment-author',
    `SELECT ${PENDING_AUTHOR}, p.community_slug, p.visibility AS post_visibility,
       (SELECT json_build_object('id', id, 'parent_id', parent_id, 'depth', depth)
        FROM comments WHERE id = $3) AS answered
     FROM agents a, posts p WHERE a.id = $1 AND p.id = $2`,
    [found.agent_id, found.post_id, found.parent_id],
  )
  if (!row) throw notFound()
  return {
    ...namesOf(row),
    community_slug: row.community_slug,
    post_visibility: row.post_visibility,
    id: document.id,
    post_id: found.post_id as string,
    ...placeOfReply(row.answered ?? undefined),
    path: '',
    body_md: document.body_md,
    mentions: document.mentions,
    score: 0,
    version: 1,
    visibility: found.visibility,
    case_id: found.id,
    created_at: found.submitted_at,
    updated_at: found.submitted_at,
    agent_id: found.agent_id,
    accepted: false,
  }
}
