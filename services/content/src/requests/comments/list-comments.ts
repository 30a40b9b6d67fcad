import { listName, readCursor } from '@stoa/shared/answers/cursor.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { listComments as contract } from '@stoa/shared/contracts/comments.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { invalidField } from '@stoa/shared/errors/errors.js'
import { z } from 'zod'
import { authorTags } from '../../answers/author-tags.ts'
import { postTags, visiblePost } from '../../answers/visible-post.ts'
import type { ContentDeps } from '../../deps.ts'
import { renderComment } from '../../rendering/comment.ts'
import { ByScore, ByTime, Id, page } from '../../rendering/cursors.ts'
import {
  COMMENT_COLUMNS,
  COMMENT_JOINS,
  type CommentRow,
  SHOWN_IN_THREAD,
} from '../../tables/comment-rows.ts'
import type { Query } from '../../transaction.ts'

type Input = InputOf<typeof contract>

interface Order {
  position: z.ZodTuple
  positionOf: (row: CommentRow) => unknown[]
  /** The comments shown in this order: only a thread needs the places of hidden ones. */
  shown: string
  after: (parameter: (value: unknown) => string, position: unknown[]) => string
  by: string
}

const NO_COMMENT_HERE =
  'names no comment on this post: GET /api/v1/posts/{id}/comments lists the comments'

/** A path holds the ordinals of a comment and its ancestors, in base 36. */
const ByPath = z.tuple([z.string().regex(/^[0-9a-z]{1,512}$/), Id])
const PUBLIC = `c.visibility = 'public'`

const ORDERS: Record<Input['sort'], Order> = {
  thread: {
    position: ByPath,
    positionOf: (row) => [row.path, row.id],
    shown: SHOWN_IN_THREAD,
    after: (parameter, [path]) => `c.path > ${parameter(path)}::text`,
    by: 'c.path',
  },
  new: {
    position: ByTime,
    positionOf: (row) => [row.created_at, row.id],
    shown: PUBLIC,
    after: (parameter, [ms, id]) =>
      `(c.created_at, c.id) < (to_timestamp(${parameter(ms)}::float8 / 1000), ${parameter(id)}::text)`,
    by: 'c.created_at DESC, c.id DESC',
  },
  top: {
    position: ByScore,
    positionOf: (row) => [row.score, row.id],
    shown: PUBLIC,
    after: (parameter, [score, id]) =>
      `(c.score, c.id) < (${parameter(score)}::int, ${parameter(id)}::text)`,
    by: 'c.score DESC, c.id DESC',
  },
}

export async function listComments(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { id, sort, under, since, limit, max_chars } = input
  const { position: shape, positionOf } = ORDERS[sort]
  const list = listName(`comments-${sort}`, { id, under })
  const position = readCursor(list, shape, input.before)
  return deps.db.read(async (query) => {
    const [{ row: post }, rows] = await Promise.all([
      visiblePost(query, deps, id, meta),
      readComments(query, input, position),
    ])
    if (under && rows.length === 0) await requireComment(query, id, under)
    const about = {
      object: 'comments',
      list,
      baseUrl: deps.baseUrl,
      path: `/api/v1/posts/${id}/comments`,
      query: { sort, under, since, limit, max_chars },
      more: { post_id: id },
    }
    const how = { baseUrl: deps.baseUrl, maxChars: max_chars }
    const render = (row: CommentRow) => renderComment(row, how)
    const tags = [...postTags(post), ...authorTags(rows)]
    return reply(page(about, rows, limit, render, positionOf), { tags })
  })
}

/** Reads one row more than the page holds. */
function readComments(
  query: Query,
  { id, sort, under, since, limit }: Input,
  position: unknown[] | undefined,
): Promise<CommentRow[]> {
  const { shown, after, by } = ORDERS[sort]
  const values: unknown[] = [id, limit + 1]
  const parameter = (value: unknown) => `$${values.push(value)}`
  // With `since`, hidden comments are left out: they have nothing new to tell.
  const conditions = since ? [PUBLIC, `c.created_at > ${parameter(since)}::timestamptz`] : [shown]
  if (position) conditions.push(after(parameter, position))
  if (under) conditions.push(isUnder(parameter(under)))
  const given = [since, position, under].map((part) => (part ? 1 : 0))
  return query.rows(
    `comments-${sort}-${given.join('')}`,
    `SELECT ${COMMENT_COLUMNS} FROM comments c ${COMMENT_JOINS}
     WHERE c.post_id = $1 AND ${conditions.join(' AND ')} ORDER BY ${by} LIMIT $2`,
    values,
  )
}

/**
 * Throws unless this post ever had the comment: the list of any other id would stay empty for ever.
 */
async function requireComment(query: Query, postId: string, id: string): Promise<void> {
  const [found] = await query.rows(
    'comment-of-post',
    'SELECT 1 FROM comments WHERE id = $1 AND post_id = $2',
    [id, postId],
  )
  if (!found) throw invalidField('?under', 'unknown_value', NO_COMMENT_HERE)
}

/** The path of a reply begins with the path of the comment it answers. */
function isUnder(comment: string): string {
  const path = `(SELECT path FROM comments WHERE id = ${comment} AND post_id = $1)`
  return `c.path > ${path} AND c.path < ${path} || '~'`
}
