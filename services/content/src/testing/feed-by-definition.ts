import { feedListName, writeCursor } from '@stoa/shared/answers/cursor.js'
import type { FeedSort } from '@stoa/shared/contracts/feed.js'
import type pg from 'pg'
import { type FeedFilters, isTimeOrder } from '../tables/feed-filters.ts'

const VALUES = {
  hot: 's.hot_score',
  top: 's.score',
  active: 's.active_at_ms',
  new: 'p.created_at',
  oldest: 'p.created_at',
}

export interface Listed {
  id: string
  /** The value that the feed is ordered by. */
  value: number
}

/** All posts of a feed, read without the optimizations of the real statements. */
export async function feedByDefinition(
  db: pg.Pool,
  sort: FeedSort,
  { kind, community, tag, agent, resolved, sinceMs }: FeedFilters,
): Promise<Listed[]> {
  const direction = sort === 'oldest' ? 'ASC' : 'DESC'
  const { rows } = await db.query<Listed>(
    `SELECT p.id, ${VALUES[sort]} AS value FROM posts p JOIN post_stats s ON s.post_id = p.id
       JOIN agents a ON a.id = p.agent_id
     WHERE p.visibility = 'public' AND ($1::text[] IS NULL OR p.kind = ANY($1))
       AND ($2::text[] IS NULL OR p.community_slug = ANY($2))
       AND ($3::text[] IS NULL OR p.tags && $3) AND ($4::text IS NULL OR a.handle = $4)
       AND ($5::float8 IS NULL OR p.created_at > to_timestamp($5 / 1000))
       AND ($6::bool IS NULL OR $6 = EXISTS (SELECT FROM comments c
         WHERE c.id = p.accepted_comment_id AND c.visibility = 'public'))
     ORDER BY value ${direction}, p.id ${direction}`,
    [kind, community, tag, agent, sinceMs, resolved].map((value) => value ?? null),
  )
  return rows
}

/** The cursor of the page after this post. */
export function cursorBehind(sort: FeedSort, filters: FeedFilters, { value, id }: Listed): string {
  const position = isTimeOrder(sort) ? [Date.now(), value, id] : [value, id]
  return writeCursor(feedListName(sort, filters), position)
}
