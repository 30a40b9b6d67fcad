import { COMMENTS_BYTES_USUAL, EMBEDDED_MAX } from '@stoa/shared/contracts/common.js'
import type { PostDetail } from '@stoa/shared/contracts/posts.js'
import { isoTime } from '@stoa/shared/time.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { addresses } from '../rendering/addresses.ts'
import { renderComment } from '../rendering/comment.ts'
import { writeCursor } from '../rendering/cursors.ts'
import { fittingItems } from '../rendering/pack-items.ts'
import { type PostRow, postActions, renderPost } from '../rendering/post.ts'
import {
  type LinkedPostRow,
  type ReproductionRow,
  renderCitation,
  renderCite,
  renderPostReference,
  renderReproduction,
} from '../rendering/references.ts'
import { type DetailLists, NO_LISTS, readDetails } from '../tables/details.ts'
import type { Standing } from '../writes/outcome.ts'

/** A page of 1 MiB, less the post itself at its longest (text, data and sources). */
const EMBEDDED_BYTES_MAX = 640 * 1024
/** None of the arrays before the comments may starve those that follow. */
const EMBEDDED = { max: EMBEDDED_MAX, share: EMBEDDED_BYTES_MAX / 5 }

export interface DetailOptions {
  baseUrl: string
  /** How many; by default as many as are usual (see COMMENTS_BYTES_USUAL). */
  comments?: number | undefined
  maxChars?: number | undefined
  standing?: Standing | undefined
}

/** The whole answer about a post if it is public; those asked for in one moment are read together. */
export async function publicDetail(
  deps: Pick<ContentDeps, 'details'>,
  id: string,
  options: DetailOptions,
): Promise<{ row: PostRow; detail: PostDetail } | undefined> {
  const found = await deps.details.load({ id, comments: options.comments ?? EMBEDDED_MAX })
  if (found?.row.visibility !== 'public') return undefined
  const { row, lists } = found
  return { row, detail: renderDetail(row, lists, options) }
}

/** The whole answer about one post, read in the caller's transaction or on its connection. */
export async function postDetail(
  query: Query,
  row: PostRow,
  options: DetailOptions,
): Promise<PostDetail> {
  const wanted = { id: row.id, comments: options.comments ?? EMBEDDED_MAX }
  const [found] = await readDetails(query, [wanted])
  return renderDetail(row, found?.lists ?? NO_LISTS, options)
}

function renderDetail(row: PostRow, lists: DetailLists, options: DetailOptions): PostDetail {
  const { baseUrl } = options
  const [canonical] = lists.canonical
  const url = addresses.postApi(baseUrl, row.id)
  const room = { bytes: EMBEDDED_BYTES_MAX }
  const embed = <Name extends string, Row, Item>(
    name: Name,
    rows: Row[],
    render: (row: Row) => Item,
    positionOf: (row: Row) => unknown[],
    total = rows.length,
  ) => embedded({ name, rows, render, positionOf, total, url, ...EMBEDDED, room })
  const newest = lists.reproductions.find(isIndependentSuccess)
  return {
    object: 'post',
    post: renderPost(withPublicCanonical(row, canonical), {
      ...options,
      reproducedOn: newest ? isoTime(newest.created_at).slice(0, 10) : null,
    }),
    duplicate_of: canonical ? renderPostReference(canonical, baseUrl) : null,
    ...embed(
      'duplicates',
      lists.duplicates,
      (r) => renderPostReference(r, baseUrl),
      (r) => [r.created_at, r.post_id],
    ),
    ...embed(
      'reproductions',
      lists.reproductions,
      renderReproduction,
      (r) => [r.created_at, r.id],
      row.reproduced_count + row.failed_count,
    ),
    ...embed(
      'cited_by',
      lists.citedBy,
      (r) => renderCitation(r, baseUrl),
      (r) => [r.created_at, r.from_id],
    ),
    ...embed(
      'cites',
      lists.cites,
      (r) => renderCite(r, baseUrl),
      (r) => [r.created_at, r.target_id],
    ),
    ...embedded({
      ...{ name: 'comments', rows: lists.comments, total: row.comment_count, url, room },
      render: (r) => renderComment(r, { baseUrl, maxChars: options.maxChars }),
      positionOf: (r) => [r.path, r.id],
      // They come last and may have all that is left, but unasked for only what is usual.
      ...(options.comments === undefined
        ? { max: EMBEDDED_MAX, share: COMMENTS_BYTES_USUAL }
        : { max: options.comments, share: room.bytes }),
    }),
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
  /** Most items, and most bytes of them after the first. */
  max: number
  share: number
  url: string
  /** What is left for the arrays that come after. */
  room: { bytes: number }
}

function embedded<Name extends string, Row, Item>(about: Embedded<Name, Row, Item>) {
  const { name, rows, room, total } = about
  const { items, bytes } = fittingItems(rows, about)
  room.bytes -= bytes
  const last = rows[items.length - 1]
  const path = name.replace('_', '-')
  const list = name === 'comments' ? 'comments-thread' : path
  const after = last ? `?before=${writeCursor(list, about.positionOf(last))}` : ''
  // Where none were wanted none were read, and the total alone tells.
  const more = rows.length > items.length || (about.max === 0 && total > 0)
  const fields = {
    [name]: items,
    [`${name}_count`]: Math.max(total, items.length),
    [`${name}_next_url`]: more ? `${about.url}/${path}${after}` : null,
  }
  return fields as Record<Name, Item[]> &
    Record<`${Name}_count`, number> &
    Record<`${Name}_next_url`, string | null>
}

function isIndependentSuccess({ independent, outcome }: ReproductionRow): boolean {
  return independent && outcome === 'reproduced'
}

/** A mark that points to what is no longer public is not shown. */
function withPublicCanonical(row: PostRow, canonical: LinkedPostRow | undefined): PostRow {
  return canonical ? row : { ...row, duplicate_of_id: null, duplicate_marked_by: null }
}
