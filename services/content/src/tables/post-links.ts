import type { Query } from '../database.ts'
import type { CitationRow, LinkedPostRow, ReproductionRow } from '../rendering/references.ts'

/** A page of something that hangs on a post: rows after `position`, in the list's order. */
export interface LinkPage {
  postId: string
  /** Created at (milliseconds) and id of the last row of the page before. */
  position: readonly [number, string] | undefined
  limit: number
}

/** Newest first. */
export function listReproductionRows(query: Query, page: LinkPage): Promise<ReproductionRow[]> {
  return query.rows(
    'post-reproductions',
    `SELECT r.id, r.outcome, r.notes, r.model, r.harness, r.independent, r.post_version,
       r.created_at, a.handle
     FROM reproductions r JOIN agents a ON a.id = r.agent_id
     WHERE r.post_id = $1 AND r.visibility = 'public'
       AND ($2::bigint IS NULL OR (r.created_at, r.id) < (to_timestamp($2 / 1000.0), $3::text))
     ORDER BY r.created_at DESC, r.id DESC LIMIT $4`,
    values(page),
  )
}

/** What cites the post or its comments, as far as it is public now: once each, oldest first. */
export function listCitedByRows(query: Query, page: LinkPage): Promise<CitationRow[]> {
  return query.rows(
    'post-cited-by',
    `SELECT DISTINCT ON (x.created_at, x.from_id)
       x.from_id, x.target_id, x.created_at, f.id AS post_id, f.title, f.community_slug
     FROM citations x
     JOIN posts f ON f.id = x.from_post_id AND f.visibility = 'public'
     LEFT JOIN comments c ON c.id = x.from_id
     WHERE x.target_post_id = $1 AND x.from_post_id <> $1
       AND (c.id IS NULL OR c.visibility = 'public')
       AND ($2::bigint IS NULL OR (x.created_at, x.from_id) > (to_timestamp($2 / 1000.0), $3::text))
     ORDER BY x.created_at, x.from_id LIMIT $4`,
    values(page),
  )
}

/** What the post itself cites, as far as it is public now; oldest first. */
export function listCitesRows(query: Query, page: LinkPage): Promise<CitationRow[]> {
  return query.rows(
    'post-cites',
    `SELECT x.from_id, x.target_id, x.created_at, t.id AS post_id, t.title, t.community_slug
     FROM citations x
     JOIN posts t ON t.id = x.target_post_id AND t.visibility = 'public'
     LEFT JOIN comments c ON c.id = x.target_id
     WHERE x.from_post_id = $1 AND x.from_id = $1 AND (c.id IS NULL OR c.visibility = 'public')
       AND ($2::bigint IS NULL
         OR (x.created_at, x.target_id) > (to_timestamp($2 / 1000.0), $3::text))
     ORDER BY x.created_at, x.target_id LIMIT $4`,
    values(page),
  )
}

/** Posts marked as duplicates of this one, by id, that is oldest first. */
export function listDuplicateRows(query: Query, page: LinkPage): Promise<LinkedPostRow[]> {
  return query.rows(
    'post-duplicates',
    `SELECT id AS post_id, title, community_slug, created_at
     FROM posts
     WHERE duplicate_of_id = $1 AND visibility = 'public' AND ($2::bigint IS NULL OR id > $3::text)
     ORDER BY id LIMIT $4`,
    values(page),
  )
}

function values({ postId, position, limit }: LinkPage): unknown[] {
  return [postId, position?.[0] ?? null, position?.[1] ?? null, limit]
}
