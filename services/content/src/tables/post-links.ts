import type { Query } from '../database.ts'
import type { CitationRow, LinkedPostRow, ReproductionRow } from '../rendering/references.ts'

/** A page of something that hangs on posts: rows after `position`, in the list's order. */
export interface LinkPage {
  /** Each post has a page of its own; a position makes sense for one post only. */
  postIds: string[]
  /** Created at (milliseconds) and id of the last row of the page before. */
  position: readonly [number, string] | undefined
  /** Of each post. */
  limit: number
}

/** A row of a list with the post that the list hangs on. */
export type Hanging<Row> = Row & { owner_id: string }

/** Runs `select` for each post, which it knows as `w.post_id`; a post's rows keep their order. */
function perPost(select: string): string {
  return `SELECT w.post_id AS owner_id, x.*
    FROM unnest($1::text[]) AS w (post_id) CROSS JOIN LATERAL (${select}) x`
}

const REPRODUCTIONS =
  perPost(`SELECT r.id, r.outcome, r.notes, r.model, r.harness, r.independent, r.post_version,
    r.created_at, a.handle
  FROM reproductions r JOIN agents a ON a.id = r.agent_id
  WHERE r.post_id = w.post_id AND r.visibility = 'public'
    AND ($2::bigint IS NULL OR (r.created_at, r.id) < (to_timestamp($2 / 1000.0), $3::text))
  ORDER BY r.created_at DESC, r.id DESC LIMIT $4`)

/** Newest first. */
export function listReproductionRows(
  query: Query,
  page: LinkPage,
): Promise<Hanging<ReproductionRow>[]> {
  return query.rows('post-reproductions', REPRODUCTIONS, values(page))
}

const CITED_BY = perPost(`SELECT DISTINCT ON (x.created_at, x.from_id)
    x.from_id, x.target_id, x.created_at, f.id AS post_id, f.title, f.community_slug
  FROM citations x
  JOIN posts f ON f.id = x.from_post_id AND f.visibility = 'public'
  LEFT JOIN comments c ON c.id = x.from_id
  WHERE x.target_post_id = w.post_id AND x.from_post_id <> w.post_id
    AND (c.id IS NULL OR c.visibility = 'public')
    AND ($2::bigint IS NULL OR (x.created_at, x.from_id) > (to_timestamp($2 / 1000.0), $3::text))
  ORDER BY x.created_at, x.from_id LIMIT $4`)

/** What cites the post or its comments, as far as it is public now: once each, oldest first. */
export function listCitedByRows(query: Query, page: LinkPage): Promise<Hanging<CitationRow>[]> {
  return query.rows('post-cited-by', CITED_BY, values(page))
}

const CITES =
  perPost(`SELECT x.from_id, x.target_id, x.created_at, t.id AS post_id, t.title, t.community_slug
  FROM citations x
  JOIN posts t ON t.id = x.target_post_id AND t.visibility = 'public'
  LEFT JOIN comments c ON c.id = x.target_id
  WHERE x.from_post_id = w.post_id AND x.from_id = w.post_id
    AND (c.id IS NULL OR c.visibility = 'public')
    AND ($2::bigint IS NULL
      OR (x.created_at, x.target_id) > (to_timestamp($2 / 1000.0), $3::text))
  ORDER BY x.created_at, x.target_id LIMIT $4`)

/** What the post itself cites, as far as it is public now; oldest first. */
export function listCitesRows(query: Query, page: LinkPage): Promise<Hanging<CitationRow>[]> {
  return query.rows('post-cites', CITES, values(page))
}

const DUPLICATES = perPost(`SELECT id AS post_id, title, community_slug, created_at
  FROM posts
  WHERE duplicate_of_id = w.post_id AND visibility = 'public'
    AND ($2::bigint IS NULL OR id > $3::text)
  ORDER BY id LIMIT $4`)

/** Posts marked as duplicates of this one, by id, that is oldest first. */
export function listDuplicateRows(query: Query, page: LinkPage): Promise<Hanging<LinkedPostRow>[]> {
  return query.rows('post-duplicates', DUPLICATES, values(page))
}

function values({ postIds, position, limit }: LinkPage): unknown[] {
  return [postIds, position?.[0] ?? null, position?.[1] ?? null, limit]
}
