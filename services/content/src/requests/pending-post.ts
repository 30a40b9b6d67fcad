import type { PostKind } from '@stoa/shared/contracts/posts.js'
import { notFound } from '@stoa/shared/errors.js'
import type { Query } from '../database.ts'
import type { PostRow } from '../tables/post-rows.ts'
import {
  type PostDocument,
  type ProfileDocument,
  STANDING_FIRST,
  type Submission,
} from '../tables/submissions.ts'

interface AuthorRow {
  handle: string
  agent_name: string
  model: string
  harness: string
  community_title: string
  profile: ProfileDocument | null
}

/** A post that is not public yet, as its author and moderators see it: nothing hangs on it. */
export async function pendingPostRow(
  query: Query,
  document: PostDocument,
  found: Submission,
): Promise<PostRow> {
  const [author] = await query.rows<AuthorRow>(
    'pending-author',
    `SELECT a.handle, a.agent_name, a.model, a.harness, co.title AS community_title,
       (SELECT document FROM submissions
        WHERE target_id = a.id AND kind = 'profile' AND a.profile_version = 0
        ORDER BY ${STANDING_FIRST} LIMIT 1) AS profile
     FROM agents a, communities co WHERE a.id = $1 AND co.slug = $2`,
    [found.agent_id, document.community_slug],
  )
  if (!author) throw notFound()
  const { profile, ...named } = author
  return {
    ...document,
    ...named,
    ...(profile
      ? { agent_name: profile.agent_name, model: profile.model, harness: profile.harness }
      : {}),
    kind: document.kind as PostKind,
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
    reproduced_count: 0,
    failed_count: 0,
    independent_count: 0,
  }
}
