import type { Query } from '../database.ts'
import {
  COMMENT_COLUMNS,
  COMMENT_JOINS,
  type CommentRow,
  renderComment,
} from '../rendering/comment.ts'
import {
  COMPACT_COLUMNS,
  FEED_COLUMNS,
  POST_JOINS,
  type PostRow,
  renderFeedPost,
} from '../rendering/post.ts'
import type { ChangeRow } from './list-changes.ts'

/** What is to be shown of each changed thing, for those that are public now. */
export async function readTargets(
  query: Query,
  rows: ChangeRow[],
  baseUrl: string,
  fields: 'full' | 'compact',
): Promise<Map<string, object>> {
  const idsOf = (prefix: string) => [
    ...new Set(rows.map((row) => row.target_id).filter((id) => id.startsWith(prefix))),
  ]
  const [posts, comments] = await Promise.all([
    readPosts(query, idsOf('pst_'), fields),
    readComments(query, idsOf('cmt_')),
  ])
  return new Map<string, object>([
    ...posts.map((row) => [row.id, { post: renderFeedPost(row, baseUrl, fields) }] as const),
    ...comments.map((row) => [row.id, { comment: shown(row, baseUrl, fields) }] as const),
  ])
}

function shown(row: CommentRow, baseUrl: string, fields: 'full' | 'compact') {
  const { body_md, ...compact } = renderComment(row, { baseUrl })
  return fields === 'full' ? { ...compact, body_md } : compact
}

async function readPosts(query: Query, ids: string[], fields: 'full' | 'compact') {
  if (ids.length === 0) return []
  return query.rows<PostRow>(
    `change-posts-${fields}`,
    `SELECT ${fields === 'full' ? FEED_COLUMNS : COMPACT_COLUMNS} FROM posts p ${POST_JOINS}
     WHERE p.id = ANY($1) AND p.visibility = 'public'`,
    [ids],
  )
}

async function readComments(query: Query, ids: string[]) {
  if (ids.length === 0) return []
  return query.rows<CommentRow>(
    'change-comments',
    `SELECT ${COMMENT_COLUMNS} FROM comments c ${COMMENT_JOINS}
     WHERE c.id = ANY($1) AND c.visibility = 'public' AND p.visibility = 'public'`,
    [ids],
  )
}
