import { COMMENT_DEPTH_MAX } from '@stoa/shared/contracts/comments.js'
import type { Visibility } from '@stoa/shared/contracts/common.js'
import type { Query } from '../transaction.ts'
import { COMMENT_COLUMNS, COMMENT_JOINS, type CommentRow } from './comment-rows.ts'

/** A comment with its author, its post's visibility and the case that holds its state. */
export interface OwnedComment extends CommentRow {
  agent_id: string
  case_id: string
  post_visibility: Visibility
}

/** A comment with everything that decides whether it is shown. */
export interface StoredComment extends OwnedComment {
  revision: number
  /** Whether its author's `comment_count` includes it. */
  counted: boolean
}

/** Whether everybody sees the comment: it disappears together with its post. */
export function isShown({ visibility, post_visibility }: StoredComment): boolean {
  return visibility === 'public' && post_visibility === 'public'
}

/** The comment that a reply answers: the fields that decide where the reply goes in the thread. */
export interface Answered {
  id: string
  parent_id: string | null
  depth: number
}

/** Under the comment it answers, or beside that comment where the thread gets no deeper. */
export function placeOfReply(to: Answered | undefined): Pick<Answered, 'parent_id' | 'depth'> {
  if (!to) return { parent_id: null, depth: 0 }
  if (to.depth >= COMMENT_DEPTH_MAX) return { parent_id: to.parent_id, depth: to.depth }
  return { parent_id: to.id, depth: to.depth + 1 }
}

const FULL = `${COMMENT_COLUMNS}, c.agent_id, c.case_id, c.revision, c.counted,
  p.visibility AS post_visibility`

export async function findCommentRow(query: Query, id: string): Promise<StoredComment | undefined> {
  const [row] = await findCommentRows(query, [id])
  return row
}

export function findCommentRows(query: Query, ids: string[]): Promise<StoredComment[]> {
  return query.rows(
    'find-comments',
    `SELECT ${FULL} FROM comments c ${COMMENT_JOINS} WHERE c.id = ANY($1)`,
    [ids],
  )
}
