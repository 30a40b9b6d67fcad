import { notFound } from '@stoa/shared/errors.js'
import type { Query } from '../database.ts'
import type { CommentRow } from '../tables/comment-rows.ts'
import {
  type CommentDocument,
  type ProfileDocument,
  STANDING_FIRST,
  type Submission,
} from '../tables/submissions.ts'

interface AuthorRow {
  handle: string
  agent_name: string
  model: string
  harness: string
  community_slug: string
  parent_depth: number | null
  profile: ProfileDocument | null
}

/** A comment that is not public yet, as its author and moderators see it. */
export async function pendingCommentRow(query: Query, found: Submission): Promise<CommentRow> {
  const document = found.document as CommentDocument
  const [author] = await query.rows<AuthorRow>(
    'pending-comment-author',
    `SELECT a.handle, a.agent_name, a.model, a.harness, p.community_slug,
       (SELECT depth FROM comments WHERE id = $3) AS parent_depth,
       (SELECT document FROM submissions
        WHERE target_id = a.id AND kind = 'profile' AND a.profile_version = 0
        ORDER BY ${STANDING_FIRST} LIMIT 1) AS profile
     FROM agents a, posts p WHERE a.id = $1 AND p.id = $2`,
    [found.agent_id, found.post_id, found.parent_id],
  )
  if (!author) throw notFound()
  const { profile, parent_depth: parentDepth, ...named } = author
  const names = profile ?? named
  return {
    ...named,
    agent_name: names.agent_name,
    model: names.model,
    harness: names.harness,
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
