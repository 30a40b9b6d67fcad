import { listName, writeCursor } from '@stoa/shared/answers/cursor.js'
import { openObject } from '@stoa/shared/answers/json-pieces.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { RawJson } from '@stoa/shared/bus/raw-json.js'
import type { Comment } from '@stoa/shared/contracts/comments.js'
import { COMMENTS_BYTES_USUAL, EMBEDDED_MAX } from '@stoa/shared/contracts/common.js'
import type { PostDetail } from '@stoa/shared/contracts/posts.js'
import type { ContentDeps } from '../deps.ts'
import { isoTime } from '../iso-time.ts'
import { addresses } from '../rendering/addresses.ts'
import { renderComment } from '../rendering/comment.ts'
import { fittingItems, type Serialized } from '../rendering/pack-items.ts'
import { postActions, renderPost } from '../rendering/post.ts'
import { POST_LINKS, type PostLink, renderPostReference } from '../rendering/references.ts'
import type { Standing } from '../rendering/standing.ts'
import type { CommentRow } from '../tables/comment-rows.ts'
import { type Detail, NOTHING, readDetails } from '../tables/details.ts'
import type { PostRow } from '../tables/post-rows.ts'
import type { Query } from '../transaction.ts'
import { authorTags } from './author-tags.ts'
import { postTags, visiblePost } from './visible-post.ts'

/** A page of 1 MiB, less the post itself at its longest (text, data and sources). */
const EMBEDDED_BYTES_MAX = 640 * 1024
/** The most bytes of each array before the comments, so that none starves those that follow. */
const PART_BYTES_MAX = EMBEDDED_BYTES_MAX / 5

interface DetailOptions {
  baseUrl: string
  /** The most comments; by default as many as are usual (see COMMENTS_BYTES_USUAL). */
  comments?: number | undefined
  maxChars?: number | undefined
  standing?: Standing | undefined
}

interface ShownDetail {
  detail: RawJson<PostDetail>
  /** Cache tags that drop a cached copy of the detail. */
  tags: string[]
}

/**
 * The whole answer about a post as JSON, if it is public. Simultaneous requests are read together.
 */
export async function publicDetail(
  deps: Pick<ContentDeps, 'details'>,
  id: string,
  options: DetailOptions,
): Promise<({ row: PostRow } & ShownDetail) | undefined> {
  const found = await deps.details.load({ id, comments: options.comments ?? EMBEDDED_MAX })
  if (found?.row.visibility !== 'public') return undefined
  return { row: found.row, ...shownDetail(found, options) }
}

/** The same, as far as the caller may see the post: one statement if it is public. */
export async function visibleDetail(
  deps: Pick<ContentDeps, 'baseUrl' | 'db' | 'details'>,
  id: string,
  options: DetailOptions,
  meta: Meta,
): Promise<{ row: PostRow } & ShownDetail> {
  const found = await publicDetail(deps, id, options)
  if (found) return found
  return deps.db.read(async (query) => {
    const { row, standing } = await visiblePost(query, deps, id, meta)
    return { row, ...(await postDetail(query, row, { ...options, standing })) }
  })
}

/** The same for any post, read in the caller's transaction or on its connection. */
export async function postDetail(
  query: Query,
  row: PostRow,
  options: DetailOptions,
): Promise<ShownDetail> {
  const wanted = { id: row.id, comments: options.comments ?? EMBEDDED_MAX }
  const [found] = await readDetails(query, [wanted])
  return shownDetail({ ...(found ?? NOTHING), row }, options)
}

function shownDetail(found: Detail, options: DetailOptions): ShownDetail {
  const tags = [...postTags(found.row), ...authorTags(found.lists.comments)]
  return { detail: renderDetail(found, options), tags }
}

type EmbeddedName = 'duplicates' | 'reproductions' | 'cited_by' | 'cites' | 'comments'

function renderDetail({ row, lists, counts }: Detail, options: DetailOptions) {
  const { baseUrl } = options
  const [canonical] = lists.canonical
  const [verified] = lists.verified
  const post = renderPost(row, {
    ...options,
    reproducedOn: verified ? isoTime(verified.created_at).slice(0, 10) : null,
  })
  const url = addresses.postApi(baseUrl, row.id)
  const room = { bytes: EMBEDDED_BYTES_MAX }
  const hanging = <Row, Item>(
    { name, render, positionOf }: PostLink<Row, Item>,
    rows: Row[],
    total: number,
  ) => {
    const part = {
      name,
      list: name,
      rows,
      total,
      render: (r: Row) => render(r, baseUrl),
      positionOf,
      max: EMBEDDED_MAX,
      share: PART_BYTES_MAX,
    }
    return embedded(part, row.id, url, room)
  }
  const duplicates = hanging(POST_LINKS.duplicates, lists.duplicates, counts.duplicates)
  const reproduced = row.reproduced_count + row.failed_count
  const reproductions = hanging(POST_LINKS.reproductions, lists.reproductions, reproduced)
  const citedBy = hanging(POST_LINKS.citedBy, lists.citedBy, counts.citedBy)
  const cites = hanging(POST_LINKS.cites, lists.cites, counts.cites)
  const thread: Part<CommentRow, Comment> = {
    name: 'comments',
    list: 'comments-thread',
    rows: lists.comments,
    total: row.comment_count,
    render: (r) => renderComment(r, { baseUrl, maxChars: options.maxChars }),
    query: options.maxChars === undefined ? {} : { max_chars: `${options.maxChars}` },
    positionOf: (r) => [r.path, r.id],
    max: options.comments ?? EMBEDDED_MAX,
    // The comments come last and may take all bytes left, but by default only the usual number.
    share: options.comments === undefined ? COMMENTS_BYTES_USUAL : room.bytes,
  }
  const comments = embedded(thread, row.id, url, room)
  const head: Omit<PostDetail, EmbeddedName> = {
    object: 'post',
    post,
    duplicate_of: canonical ? renderPostReference(canonical, baseUrl) : null,
    duplicates_count: duplicates.count,
    duplicates_next_url: duplicates.nextUrl,
    reproductions_count: reproductions.count,
    reproductions_next_url: reproductions.nextUrl,
    cited_by_count: citedBy.count,
    cited_by_next_url: citedBy.nextUrl,
    cites_count: cites.count,
    cites_next_url: cites.nextUrl,
    comments_count: comments.count,
    comments_next_url: comments.nextUrl,
    actions: postActions(baseUrl, row.id),
  }
  return withArrays(head, {
    duplicates: duplicates.shown,
    reproductions: reproductions.shown,
    cited_by: citedBy.shown,
    cites: cites.shown,
    comments: comments.shown,
  })
}

type Arrays = { [Name in EmbeddedName]: Serialized<PostDetail[Name][number]> }

/** Appends the serialized arrays to the other fields as they are. */
function withArrays(head: Omit<PostDetail, EmbeddedName>, arrays: Arrays): RawJson<PostDetail> {
  const fields = Object.entries(arrays).map(([name, { items }]) => `"${name}":[${items.join(',')}]`)
  return new RawJson(`${openObject(head)}${fields.join(',')}}`)
}

/** The beginning of one of a post's lists. */
interface Part<Row, Item> {
  /** The last part of the list's address. */
  name: string
  /** The name of the list's cursors. */
  list: string
  /** A row more than is shown tells that there is a rest. */
  rows: Row[]
  total: number
  render: (row: Row) => Item
  positionOf: (row: Row) => readonly unknown[]
  /** Query parameters that the address of the rest repeats. */
  query?: Record<string, string>
  /** The most items, and the most bytes of the items after the first. */
  max: number
  share: number
}

/**
 * The part of a list that is shown with its post; `room` is what is left for the lists after it.
 */
function embedded<Row, Item>(
  part: Part<Row, Item>,
  id: string,
  url: string,
  room: { bytes: number },
) {
  const { name, list, rows, total, max } = part
  const shown = fittingItems(rows, part)
  const shownCount = shown.items.length
  room.bytes -= shown.size
  // With `max` 0, no rows were read, and the total alone tells whether there are any.
  const isMore = rows.length > shownCount || (max === 0 && total > 0)
  const last = isMore ? rows[shownCount - 1] : undefined
  // Most lists are shown whole, so the list's name is made only if there is a rest.
  const nextUrl = () => {
    const query = new URLSearchParams(part.query)
    if (last) query.set('before', writeCursor(listName(list, { id }), part.positionOf(last)))
    return query.size > 0 ? `${url}/${name}?${query}` : `${url}/${name}`
  }
  return { shown, count: total, nextUrl: isMore ? nextUrl() : null }
}
