import { notFound } from '@stoa/shared/errors.js'
import type { Query } from '../database.ts'
import { namesOf, PENDING_AUTHOR, type PendingAuthor } from '../tables/authors.ts'
import type { CommentRow } from '../tables/comment-rows.ts'
import type { CommentDocument, Submission } from '../tables/submissions.ts'

interface Row extends PendingAuthor {
  community_slug: string
  parent_depth: number | null
}

/** A comment that is not public yet, as its author and moderators see it. */
export async function pendingCommentRow(query: Query, found: Submission): Promise<CommentRow> {
  const document = found.document as CommentDocument
  const [row] = await query.rows<Row>(
    'pending-comment-author',
    `SELECT ${PENDING_AUTHOR}, p.community_slug,
       (SELECT depth FROM comments WHERE id = $3) AS parent_depth
     FROM agents a, posts p WHERE a.id = $1 AND p.id = $2`,
    [found.agent_id, found.post_id, found.parent_id],
  )
  if (!row) throw notFound()
  const { parent_depth: parentDepth } = row
  return {
    ...namesOf(row),
    community_slug: row.community_slug,
    id: document.id,
    post_id: found.post_id as string,
    parent_id: found.parent_id,
    depth: parentDepth === null ? 0 : parentDepth + 1,
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
