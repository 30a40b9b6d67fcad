import { EMBEDDED_MAX } from '@stoa/shared/contracts/common.js'
import type { PostDetail } from '@stoa/shared/contracts/posts.js'
import { isoTime } from '@stoa/shared/time.js'
import type { Database, Query } from '../database.ts'
import { addresses } from '../rendering/addresses.ts'
import {
  COMMENT_COLUMNS,
  COMMENT_JOINS,
  type CommentRow,
  renderComment,
  SHOWN_IN_THREAD,
} from '../rendering/comment.ts'
import { writeCursor } from '../rendering/cursors.ts'
import { fittingCount } from '../rendering/pack-items.ts'
import {
  DETAIL_COLUMNS,
  POST_JOINS,
  type PostRow,
  postActions,
  renderPost,
} from '../rendering/post.ts'
import {
  type LinkedPostRow,
  renderCitation,
  renderCite,
  renderPostReference,
  renderReproduction,
} from '../rendering/references.ts'
import {
  listCitedByRows,
  listCitesRows,
  listDuplicateRows,
  listReproductionRows,
} from '../tables/post-links.ts'
import type { Standing } from '../writes/outcome.ts'

/** A page of 1 MiB, less the post itself at its longest (text, data and sources). */
const EMBEDDED_BYTES_MAX = 640 * 1024

export interface DetailOptions {
  baseUrl: string
  comments: number
  maxChars?: number | undefined
  standing?: Standing | undefined
}

/** A post and which of the lists that can hang on it are worth asking for. */
export interface DetailRow extends PostRow {
  is_cited: boolean
  has_cites: boolean
  has_duplicates: boolean
}

export function findPostRows(query: Query, ids: string[]): Promise<DetailRow[]> {
  return query.rows(
    'find-posts',
    `SELECT ${DETAIL_COLUMNS},
       EXISTS (SELECT 1 FROM citations WHERE target_post_id = p.id) AS is_cited,
       EXISTS (SELECT 1 FROM citations WHERE from_post_id = p.id) AS has_cites,
       EXISTS (SELECT 1 FROM posts d WHERE d.duplicate_of_id = p.id) AS has_duplicates
     FROM posts p ${POST_JOINS} WHERE p.id = ANY($1)`,
    [ids],
  )
}

export async function findPostRow(query: Query, id: string): Promise<DetailRow | undefined> {
  const [row] = await findPostRows(query, [id])
  return row
}

const NOTHING_TO_READ: Query = {
  rows: () => Promise.reject(new Error('a post without lists asked for one')),
}

/** The answer about a public post, which takes no connection when nothing hangs on the post. */
export function publicDetail(
  db: Pick<Database, 'read'>,
  row: DetailRow,
  options: DetailOptions,
): Promise<PostDetail> {
  const bare =
    !row.is_cited &&
    !row.has_cites &&
    !row.has_duplicates &&
    row.duplicate_of_id === null &&
    row.reproduced_count + row.failed_count === 0 &&
    (row.comment_count === 0 || options.comments === 0)
  if (bare) return postDetail(NOTHING_TO_READ, row, options)
  return db.read((query) => postDetail(query, row, options))
}

/**
 * The whole answer about one post: at most a fixed number of indexed statements, sent in one round
 * trip, whatever the size of its thread.
 */
export async function postDetail(
  query: Query,
  row: DetailRow,
  options: DetailOptions,
): Promise<PostDetail> {
  const { baseUrl } = options
  const first = { postId: row.id, position: undefined, limit: EMBEDDED_MAX + 1 }
  const [comments, reproductions, citedBy, cites, duplicates, canonical] = await Promise.all([
    row.comment_count > 0 && options.comments > 0
      ? firstComments(query, row.id, options.comments + 1)
      : [],
    row.reproduced_count + row.failed_count > 0 ? listReproductionRows(query, first) : [],
    row.is_cited ? listCitedByRows(query, first) : [],
    row.has_cites ? listCitesRows(query, first) : [],
    row.has_duplicates ? listDuplicateRows(query, first) : [],
    row.duplicate_of_id ? findReference(query, row.duplicate_of_id) : undefined,
  ])
  const url = addresses.postApi(baseUrl, row.id)
  const room = { bytes: EMBEDDED_BYTES_MAX }
  const embed = <Name extends string, Row, Item>(
    name: Name,
    rows: Row[],
    render: (row: Row) => Item,
    positionOf: (row: Row) => unknown[],
    total = rows.length,
    max = EMBEDDED_MAX,
  ) => embedded({ name, rows, render, positionOf, total, max, url, room })
  const newest = reproductions.find((found) => found.independent && found.outcome === 'reproduced')
  return {
    object: 'post',
    post: renderPost(withPublicCanonical(row, canonical), {
      ...options,
      reproducedOn: newest ? isoTime(newest.created_at).slice(0, 10) : null,
    }),
    duplicate_of: canonical ? renderPostReference(canonical, baseUrl) : null,
    ...embed(
      'duplicates',
      duplicates,
      (r) => renderPostReference(r, baseUrl),
      (r) => [r.created_at, r.post_id],
    ),
    ...embed(
      'reproductions',
      reproductions,
      renderReproduction,
      (r) => [r.created_at, r.id],
      row.reproduced_count + row.failed_count,
    ),
    ...embed(
      'cited_by',
      citedBy,
      (r) => renderCitation(r, baseUrl),
      (r) => [r.created_at, r.from_id],
    ),
    ...embed(
      'cites',
      cites,
      (r) => renderCite(r, baseUrl),
      (r) => [r.created_at, r.target_id],
    ),
    ...embed(
      'comments',
      comments,
      (r) => renderComment(r, { baseUrl, maxChars: options.maxChars }),
      (r) => [r.path, r.id],
      row.comment_count,
      options.comments,
    ),
    actions: postActions(baseUrl, row.id),
  }
}

interface Embedded<Name extends string, Row, Item> {
  name: Name
  /** One more than is shown tells that there is a rest. */
  rows: Row[]
  render: (row: Row) => Item
  positionOf: (row: Row) => unknown[]
  total: number
  max: number
  url: string
  /** What is left for the arrays that come after. */
  room: { bytes: number }
}

function embedded<Name extends string, Row, Item>(about: Embedded<Name, Row, Item>) {
  const { name, rows, max, room } = about
  const rendered = rows.slice(0, max).map(about.render)
  // The comments come last and may have all that is left; no other array may starve them.
  const share = name === 'comments' ? room.bytes : room.bytes / 4
  const { count, bytes } = fittingCount(rendered, share)
  room.bytes -= bytes
  const shown = rendered.slice(0, count)
  const last = rows[count - 1]
  const path = name.replace('_', '-')
  const list = name === 'comments' ? 'comments-thread' : path
  const after = last ? `?before=${writeCursor(list, about.positionOf(last))}` : ''
  const fields = {
    [name]: shown,
    [`${name}_count`]: Math.max(about.total, shown.length),
    [`${name}_next_url`]: rows.length > count ? `${about.url}/${path}${after}` : null,
  }
  return fields as Record<Name, Item[]> &
    Record<`${Name}_count`, number> &
    Record<`${Name}_next_url`, string | null>
}

function firstComments(query: Query, postId: string, limit: number): Promise<CommentRow[]> {
  return query.rows(
    'first-comments',
    `SELECT ${COMMENT_COLUMNS} FROM comments c ${COMMENT_JOINS}
     WHERE c.post_id = $1 AND ${SHOWN_IN_THREAD} ORDER BY c.path LIMIT $2`,
    [postId, limit],
  )
}

/** A mark that points to what is no longer public is not shown. */
function withPublicCanonical(row: PostRow, canonical: LinkedPostRow | undefined): PostRow {
  return canonical ? row : { ...row, duplicate_of_id: null, duplicate_marked_by: null }
}

async function findReference(query: Query, id: string): Promise<LinkedPostRow | undefined> {
  const [row] = await query.rows<LinkedPostRow>(
    'find-post-reference',
    `SELECT id AS post_id, title, community_slug, created_at FROM posts
     WHERE id = $1 AND visibility = 'public'`,
    [id],
  )
  return row
}
