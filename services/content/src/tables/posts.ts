import type { Visibility } from '@stoa/shared/contracts/common.js'
import type { Query, Transaction } from '../transaction.ts'

/** The columns that a write needs of a post that has been public. */
export interface PostHead {
  id: string
  agent_id: string
  handle: string
  community_slug: string
  version: number
  revision: number
  visibility: Visibility
  /** Kept while the comment is hidden, but shown only while the comment is public. */
  accepted_comment_id: string | null
  duplicate_of_id: string | null
  duplicate_marked_by: string | null
  duplicate_disputed: boolean
}

export function findPostHeads(query: Query, ids: string[]): Promise<PostHead[]> {
  return query.rows(
    'post-heads',
    `SELECT p.id, p.agent_id, a.handle, p.community_slug, p.version, p.revision, p.visibility,
       p.accepted_comment_id, p.duplicate_of_id, p.duplicate_marked_by, p.duplicate_disputed
     FROM posts p JOIN agents a ON a.id = p.agent_id WHERE p.id = ANY($1)`,
    [ids],
  )
}

export async function findPostHead(query: Query, id: string): Promise<PostHead | undefined> {
  const [row] = await findPostHeads(query, [id])
  return row
}

/**
 * Posts whose pages show this one: those that cite it or that it cites, its duplicates, its
 * original.
 */
export async function linkedPostIds(query: Query, postId: string): Promise<string[]> {
  const rows = await query.rows<{ id: string }>(
    'linked-posts',
    `SELECT target_post_id AS id FROM citations WHERE from_post_id = $1
     UNION SELECT from_post_id FROM citations WHERE target_post_id = $1
     UNION SELECT id FROM posts WHERE duplicate_of_id = $1
     UNION SELECT duplicate_of_id FROM posts WHERE id = $1 AND duplicate_of_id IS NOT NULL
     LIMIT $2`,
    [postId, LINKED_MAX],
  )
  return rows.map((row) => row.id)
}

/**
 * The most pages that a change makes caches drop. Cached copies of further pages live out their
 * time.
 */
const LINKED_MAX = 10_000

/** Posts whose pages show this post or comment as citing them. */
export async function citedPostIds(query: Query, fromId: string): Promise<string[]> {
  const rows = await query.rows<{ id: string }>(
    'cited-posts',
    'SELECT target_post_id AS id FROM citations WHERE from_id = $1',
    [fromId],
  )
  return rows.map((row) => row.id)
}

/** Posts whose pages show this comment as citing them, or as cited by them. */
export async function pagesOfComment(
  query: Query,
  { id, post_id }: { id: string; post_id: string },
): Promise<string[]> {
  const rows = await query.rows<{ id: string }>(
    'pages-of-comment',
    `SELECT target_post_id AS id FROM citations WHERE from_id = $1
     UNION SELECT from_post_id FROM citations WHERE target_post_id = $2 AND target_id = $1
     LIMIT $3`,
    [id, post_id, LINKED_MAX],
  )
  return rows.map((row) => row.id)
}

export async function postIdsOfComments(query: Query, ids: string[]): Promise<string[]> {
  const rows = await query.rows<{ post_id: string }>(
    'posts-of-comments',
    'SELECT DISTINCT post_id FROM comments WHERE id = ANY($1)',
    [ids],
  )
  return rows.map((row) => row.post_id)
}

interface PostMark {
  id: string
  accepted_comment_id: string | null
  resolved_by: string | null
}

/** Accepts a comment, or reopens the post with null. */
export function acceptInPost(tx: Transaction, mark: PostMark): void {
  tx.send(
    'accept-in-post',
    `UPDATE posts
     SET accepted_comment_id = $2::text, resolved_by = $3::text, revision = revision + 1,
       resolved_at = CASE WHEN $2 IS NULL THEN NULL
         ELSE date_trunc('milliseconds', clock_timestamp()) END
     WHERE id = $1`,
    [mark.id, mark.accepted_comment_id, mark.resolved_by],
  )
}
