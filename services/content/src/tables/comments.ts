import type { Query } from '../database.ts'
import { COMMENT_COLUMNS, COMMENT_JOINS, type CommentRow as RenderedRow } from './comment-rows.ts'

/** A comment as it is shown, with what decides whether it is. */
export type CommentRow = RenderedRow & {
  revision: number
  post_visibility: string
  /** Whether the count of its author has it. */
  counted: boolean
}

/** Whether everybody sees it: what hangs on a post that has gone has gone with it. */
export function isShown({ visibility, post_visibility }: CommentRow): boolean {
  return visibility === 'public' && post_visibility === 'public'
}

const FULL = `${COMMENT_COLUMNS}, c.revision, c.counted, p.visibility AS post_visibility`

export async function findCommentRow(query: Query, id: string): Promise<CommentRow | undefined> {
  const [row] = await findCommentRows(query, [id])
  return row
}

export function findCommentRows(query: Query, ids: string[]): Promise<CommentRow[]> {
  return query.rows(
    'find-comments',
    `SELECT ${FULL} FROM comments c ${COMMENT_JOINS} WHERE c.id = ANY($1)`,
    [ids],
  )
}
