import { EMBEDDED_MAX } from '@stoa/shared/contracts/common.js'
import type { Query } from '../transaction.ts'
import { COMMENT_COLUMNS, COMMENT_JOINS, type CommentRow, SHOWN_IN_THREAD } from './comment-rows.ts'
import { type TimesAsJson, withTimes } from './json-times.ts'
import { countLists, type ListCounts } from './list-counts.ts'
import {
  CITED_BY,
  CITES,
  type CitationRow,
  type CiteRow,
  DUPLICATES,
  type LinkedPostRow,
  REPRODUCTIONS,
  type ReproductionRow,
} from './post-links.ts'
import { DETAIL_COLUMNS, POST_JOINS, type PostRow } from './post-rows.ts'

export async function findPostRow(query: Query, id: string): Promise<PostRow | undefined> {
  const [row] = await query.rows<PostRow>(
    'find-post',
    `SELECT ${DETAIL_COLUMNS} FROM posts p ${POST_JOINS} WHERE p.id = $1`,
    [id],
  )
  return row
}

/** The lists of a post's page: the first rows of each, in order, and one more than is shown. */
interface DetailLists {
  comments: CommentRow[]
  reproductions: ReproductionRow[]
  /** The last reproduction by an independent agent: one or none. */
  verified: { created_at: number }[]
  citedBy: CitationRow[]
  cites: CiteRow[]
  duplicates: LinkedPostRow[]
  /** The post that this one is marked as a duplicate of, while it is public: one or none. */
  canonical: LinkedPostRow[]
}

/** The lists and counts of a post that has none of them. */
export const NOTHING: Omit<Detail, 'row'> = {
  lists: {
    comments: [],
    reproductions: [],
    verified: [],
    citedBy: [],
    cites: [],
    duplicates: [],
    canonical: [],
  },
  counts: { citedBy: 0, cites: 0, duplicates: 0 },
}

/** A post whose detail is wanted, and the most comments to read. */
export interface DetailWanted {
  id: string
  comments: number
}

export interface Detail {
  row: PostRow
  lists: DetailLists
  counts: ListCounts
}

interface ListSource {
  /** A condition without which the list must be empty, so that it is not read. */
  when: string
  /** SELECT of the list's rows for the post `w.post_id`. */
  rows: string
}

const MAX = `${EMBEDDED_MAX + 1}`

const SOURCES: Record<keyof DetailLists, ListSource> = {
  comments: {
    when: 's.comment_count > 0 AND w.comments > 0',
    rows: `SELECT ${COMMENT_COLUMNS} FROM comments c ${COMMENT_JOINS}
      WHERE c.post_id = w.post_id AND ${SHOWN_IN_THREAD} ORDER BY c.path LIMIT w.comments + 1`,
  },
  reproductions: {
    when: 's.reproduced_count + s.failed_count > 0',
    rows: REPRODUCTIONS('true', MAX),
  },
  verified: {
    when: 's.reproduced_count > 0',
    rows: `SELECT r.created_at FROM reproductions r
      WHERE r.post_id = w.post_id AND r.visibility = 'public' AND r.independent
        AND r.outcome = 'reproduced'
      ORDER BY r.created_at DESC LIMIT 1`,
  },
  citedBy: {
    when: 'EXISTS (SELECT 1 FROM citations WHERE target_post_id = w.post_id)',
    rows: CITED_BY('true', MAX),
  },
  cites: {
    when: 'EXISTS (SELECT 1 FROM citations WHERE from_post_id = w.post_id)',
    rows: CITES('true', MAX),
  },
  duplicates: {
    when: 'EXISTS (SELECT 1 FROM posts WHERE duplicate_of_id = w.post_id)',
    rows: DUPLICATES('true', MAX),
  },
  canonical: {
    when: 'p.duplicate_of_id IS NOT NULL',
    rows: `SELECT o.id AS post_id, o.title, o.community_slug, o.created_at
      FROM posts o WHERE o.id = p.duplicate_of_id AND o.visibility = 'public'`,
  },
}

const LISTS = Object.entries(SOURCES).map(
  ([name, { when, rows }]) =>
    `CASE WHEN ${when} THEN (SELECT json_agg(x) FROM (${rows}) x) END AS "${name}"`,
)

type ListsAsJson = {
  [Name in keyof DetailLists]: TimesAsJson<DetailLists[Name][number]>[] | null
}

type Row = PostRow & { n: number } & ListsAsJson

/**
 * Reads posts and their lists, whatever their visibility. One statement reads one post or many: it
 * costs less than one per list, and reads no more of a thread than is shown. Another statement
 * counts longer lists. Answers in the order of `wanted`.
 */
export async function readDetails(
  query: Query,
  wanted: DetailWanted[],
): Promise<(Detail | undefined)[]> {
  const rows = await query.rows<Row>(
    'read-details',
    `SELECT w.n, ${DETAIL_COLUMNS}, ${LISTS.join(', ')}
     FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS w (post_id, comments, n)
     JOIN posts p ON p.id = w.post_id ${POST_JOINS}`,
    [wanted.map(({ id }) => id), wanted.map(({ comments }) => comments)],
  )
  const found = new Map(rows.map((row) => [row.n, { row, lists: listsOf(row) }]))
  const long = [...found.values()].filter(({ lists }) => isLong(lists)).map(({ row }) => row.id)
  const counted = long.length > 0 ? await countLists(query, long) : undefined
  return wanted.map(({ id }, i) => {
    const detail = found.get(i + 1)
    return detail && { ...detail, counts: counted?.get(id) ?? lengthsOf(detail.lists) }
  })
}

function lengthsOf({ citedBy, cites, duplicates }: DetailLists): ListCounts {
  return { citedBy: citedBy.length, cites: cites.length, duplicates: duplicates.length }
}

function isLong(lists: DetailLists): boolean {
  return Object.values(lengthsOf(lists)).some((length) => length > EMBEDDED_MAX)
}

function listsOf(row: Row): DetailLists {
  return {
    comments: rowsOf(row.comments),
    reproductions: rowsOf(row.reproductions),
    verified: rowsOf(row.verified),
    citedBy: rowsOf(row.citedBy),
    cites: rowsOf(row.cites),
    duplicates: rowsOf(row.duplicates),
    canonical: rowsOf(row.canonical),
  }
}

function rowsOf<Item>(rows: TimesAsJson<Item>[] | null): Item[] {
  return (rows ?? []).map((row) => withTimes<Item>(row))
}
