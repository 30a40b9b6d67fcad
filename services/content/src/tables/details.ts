import { EMBEDDED_MAX } from '@stoa/shared/contracts/common.js'
import type { Query } from '../database.ts'
import {
  COMMENT_COLUMNS,
  COMMENT_JOINS,
  type CommentRow,
  SHOWN_IN_THREAD,
} from '../rendering/comment.ts'
import { DETAIL_COLUMNS, POST_JOINS, type PostRow } from '../rendering/post.ts'
import type { CitationRow, LinkedPostRow, ReproductionRow } from '../rendering/references.ts'
import {
  type Hanging,
  listCitedByRows,
  listCitesRows,
  listDuplicateRows,
  listReproductionRows,
} from './post-links.ts'

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

/** What hangs on a post: of each list the first rows, in order, and one more than is shown. */
export interface DetailLists {
  comments: CommentRow[]
  reproductions: ReproductionRow[]
  citedBy: CitationRow[]
  cites: CitationRow[]
  duplicates: LinkedPostRow[]
  /** The post that this one is marked as a duplicate of, while it is public. */
  canonical?: LinkedPostRow | undefined
}

export const NO_LISTS: DetailLists = {
  comments: [],
  reproductions: [],
  citedBy: [],
  cites: [],
  duplicates: [],
}

/** A post whose lists are wanted, with so many comments at most. */
export interface ListsWanted {
  row: DetailRow
  comments: number
}

type Asks = (wanted: ListsWanted) => boolean

const asksFor = {
  comments: ({ row, comments }) => row.comment_count > 0 && comments > 0,
  reproductions: ({ row }) => row.reproduced_count + row.failed_count > 0,
  citedBy: ({ row }) => row.is_cited,
  cites: ({ row }) => row.has_cites,
  duplicates: ({ row }) => row.has_duplicates,
  canonical: ({ row }) => row.duplicate_of_id !== null,
} satisfies Record<keyof DetailLists, Asks>

/** Whether anything hangs on the post that would have to be read. */
export function hasLists(wanted: ListsWanted): boolean {
  return Object.values<Asks>(asksFor).some((asks) => asks(wanted))
}

/**
 * Reads what hangs on these posts: at most a fixed number of indexed statements in one round trip,
 * for one post or for many, whatever the size of a thread. Answers in the order asked.
 */
export async function readDetailLists(query: Query, wanted: ListsWanted[]): Promise<DetailLists[]> {
  const read = async <Row>(asks: Asks, list: (some: ListsWanted[]) => Promise<Hanging<Row>[]>) => {
    const some = wanted.filter(asks)
    return byOwner(some.length > 0 ? await list(some) : [])
  }
  const page = (some: ListsWanted[]) => ({
    postIds: some.map(({ row }) => row.id),
    position: undefined,
    limit: EMBEDDED_MAX + 1,
  })
  const [comments, reproductions, citedBy, cites, duplicates, canonicals] = await Promise.all([
    read(asksFor.comments, (some) => firstComments(query, some)),
    read(asksFor.reproductions, (some) => listReproductionRows(query, page(some))),
    read(asksFor.citedBy, (some) => listCitedByRows(query, page(some))),
    read(asksFor.cites, (some) => listCitesRows(query, page(some))),
    read(asksFor.duplicates, (some) => listDuplicateRows(query, page(some))),
    read(asksFor.canonical, (some) => findCanonicals(query, some)),
  ])
  return wanted.map(({ row: { id } }) => ({
    comments: comments(id),
    reproductions: reproductions(id),
    citedBy: citedBy(id),
    cites: cites(id),
    duplicates: duplicates(id),
    canonical: canonicals(id)[0],
  }))
}

function byOwner<Row>(rows: Hanging<Row>[]): (postId: string) => Row[] {
  const lists = new Map<string, Row[]>()
  for (const row of rows) {
    const list = lists.get(row.owner_id)
    if (list) list.push(row)
    else lists.set(row.owner_id, [row])
  }
  return (postId) => lists.get(postId) ?? []
}

function firstComments(query: Query, wanted: ListsWanted[]): Promise<Hanging<CommentRow>[]> {
  return query.rows(
    'first-comments',
    `SELECT w.post_id AS owner_id, x.*
     FROM unnest($1::text[], $2::int[]) AS w (post_id, wanted) CROSS JOIN LATERAL (
       SELECT ${COMMENT_COLUMNS} FROM comments c ${COMMENT_JOINS}
       WHERE c.post_id = w.post_id AND ${SHOWN_IN_THREAD} ORDER BY c.path LIMIT w.wanted + 1) x`,
    [wanted.map(({ row }) => row.id), wanted.map(({ comments }) => comments)],
  )
}

function findCanonicals(query: Query, marked: ListsWanted[]): Promise<Hanging<LinkedPostRow>[]> {
  return query.rows(
    'find-canonicals',
    `SELECT w.post_id AS owner_id, p.id AS post_id, p.title, p.community_slug, p.created_at
     FROM unnest($1::text[], $2::text[]) AS w (post_id, canonical_id)
     JOIN posts p ON p.id = w.canonical_id WHERE p.visibility = 'public'`,
    [marked.map(({ row }) => row.id), marked.map(({ row }) => row.duplicate_of_id)],
  )
}
