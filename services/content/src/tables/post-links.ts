import type { Query } from '../transaction.ts'
import type { ReproductionDocument } from './documents.ts'

export interface ReproductionRow extends ReproductionDocument {
  independent: boolean
  created_at: number
  handle: string
}

/** A post that another thing points to, or that points to another thing. */
export interface LinkedPostRow {
  post_id: string
  title: string
  community_slug: string
  created_at: number
}

export interface CitationRow extends LinkedPostRow {
  from_id: string
}

export interface CiteRow extends CitationRow {
  target_id: string
}

/** When the last row of a page was created (milliseconds), and its one or two ids. */
export type LinkPosition = readonly [number, string] | readonly [number, string, string]

/** A page of one of a post's lists: rows after `position`, in the list's order. */
export interface LinkPage {
  postId: string
  position: LinkPosition | undefined
  limit: number
}

/** SELECT of a list's rows for post `w.post_id`: those that meet `after`, at most `limit`. */
type Select = (after: string, limit: string) => string

/** The page of one list of one post. */
function pageOf(select: Select, after: string, limit = '$4'): string {
  return `SELECT x.* FROM (SELECT $1::text AS post_id) w CROSS JOIN LATERAL (
    ${select(after, limit)}) x`
}

/** SQL: the time of the position; without a position, the end of time that the list begins at. */
const timeOr = (end: string) => `coalesce(to_timestamp($2::bigint / 1000.0), '${end}')`

/**
 * Columns of a ReproductionRow. The statement must name reproductions `r` and their authors `a`.
 */
export const REPRODUCTION_COLUMNS = `r.id, r.outcome, r.notes, r.model, r.harness, r.independent,
  r.post_version, r.created_at, a.handle`

export const REPRODUCTIONS: Select = (after, limit) =>
  `SELECT ${REPRODUCTION_COLUMNS}
  FROM reproductions r JOIN agents a ON a.id = r.agent_id
  WHERE r.post_id = w.post_id AND r.visibility = 'public' AND ${after}
  ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}`

const MORE_REPRODUCTIONS = pageOf(
  REPRODUCTIONS,
  `(r.created_at, r.id) < (${timeOr('infinity')}, $3::text)`,
)

/** Newest first. */
export function listReproductionRows(query: Query, page: LinkPage): Promise<ReproductionRow[]> {
  return query.rows('post-reproductions', MORE_REPRODUCTIONS, values(page))
}

export const CITED_BY: Select = (after, limit) => `SELECT DISTINCT ON (x.created_at, x.from_id)
    x.from_id, x.created_at, f.id AS post_id, f.title, f.community_slug
  FROM citations x
  JOIN posts f ON f.id = x.from_post_id AND f.visibility = 'public'
  LEFT JOIN comments c ON c.id = x.from_id
  WHERE x.target_post_id = w.post_id AND x.from_post_id <> w.post_id
    AND (c.id IS NULL OR c.visibility = 'public') AND ${after}
  ORDER BY x.created_at, x.from_id LIMIT ${limit}`

const MORE_CITED_BY = pageOf(
  CITED_BY,
  `(x.created_at, x.from_id) > (${timeOr('-infinity')}, $3::text)`,
)

/** Public posts and comments that cite the post or its comments: each once, oldest first. */
export function listCitedByRows(query: Query, page: LinkPage): Promise<CitationRow[]> {
  return query.rows('post-cited-by', MORE_CITED_BY, values(page))
}

export const CITES: Select = (after, limit) =>
  `SELECT x.from_id, x.target_id, x.created_at, t.id AS post_id, t.title, t.community_slug
  FROM citations x
  JOIN posts t ON t.id = x.target_post_id AND t.visibility = 'public'
  LEFT JOIN comments f ON f.id = x.from_id
  LEFT JOIN comments c ON c.id = x.target_id
  WHERE x.from_post_id = w.post_id
    AND (x.from_id = w.post_id OR f.visibility = 'public' AND t.id <> w.post_id)
    AND (x.target_id = t.id OR c.visibility = 'public') AND ${after}
  ORDER BY x.created_at, x.target_id, x.from_id LIMIT ${limit}`

const MORE_CITES = pageOf(
  CITES,
  `(x.created_at, x.target_id, x.from_id) > (${timeOr('-infinity')}, $3::text, $5::text)`,
)

/**
 * What the post, or a comment on it, cites of other posts, if both are public now; oldest first.
 */
export function listCitesRows(query: Query, page: LinkPage): Promise<CiteRow[]> {
  return query.rows('post-cites', MORE_CITES, [...values(page), page.position?.[2] ?? ''])
}

export const DUPLICATES: Select = (after, limit) =>
  `SELECT d.id AS post_id, d.title, d.community_slug, d.created_at
  FROM posts d
  WHERE d.duplicate_of_id = w.post_id AND d.visibility = 'public' AND ${after}
  ORDER BY d.id LIMIT ${limit}`

const MORE_DUPLICATES = pageOf(DUPLICATES, 'd.id > $2::text', '$3')

/** Posts marked as duplicates of this one, in id order, which is oldest first. */
export function listDuplicateRows(query: Query, page: LinkPage): Promise<LinkedPostRow[]> {
  const { postId, position, limit } = page
  return query.rows('post-duplicates', MORE_DUPLICATES, [postId, position?.[1] ?? '', limit])
}

function values({ postId, position, limit }: LinkPage): unknown[] {
  return [postId, position?.[0] ?? null, position?.[1] ?? '', limit]
}
