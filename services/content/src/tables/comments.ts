import { COMMENT_DEPTH_MAX } from '@stoa/shared/contracts/comments.js'
import type { Visibility } from '@stoa/shared/contracts/common.js'
import type { Query } from '../transaction.ts'
import { COMMENT_COLUMNS, COMMENT_JOINS, type CommentRow } from './comment-rows.ts'

/** A comment with its author, and the case that says how it stands. */
export interface OwnedComment extends CommentRow {
  agent_id: string
  case_id: string
  post_visibility: Visibility
}

/** A comment as it is shown, with what decides whether it is. */
export interface StoredComment extends OwnedComment {
  revision: number
  /** Whether the count of its author has it. */
  counted: boolean
}

/** Whether everybody sees it: what hangs on a post that has gone has gone with it. */
export function isShown({ visibility, post_visibility }: StoredComment): boolean {
  return visibility === 'public' && post_visibility === 'public'
}

/** What a reply answers, as far as that decides where it hangs. */
export interface Answered {
  id: string
  parent_id: string | null
  depth: number
}

/** Under what it answers, or beside that where a thread gets no deeper. */
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
