import type { FoundHit, FoundHits, SearchType } from '@stoa/shared/contracts/search.js'
import type { ContentDeps } from '../deps.ts'
import { offsetOf, type SearchInput } from './search-answer.ts'

/** Best first, the newest of the same score: ids are in the order of time. */
const BEST: Partial<Record<SearchType, string>> = {
  post: `SELECT post_id AS id FROM post_stats WHERE post_id = ANY($1) AND visible
    ORDER BY score DESC, post_id DESC LIMIT $2 OFFSET $3`,
  comment: `SELECT id FROM comments WHERE id = ANY($1) AND visibility = 'public'
    ORDER BY score DESC, id DESC LIMIT $2 OFFSET $3`,
}

/**
 * A page of what the index found, by the votes there are now: the index has those of when a text was
 * last published or edited. Of a type that has no votes, as found.
 */
export async function topHits(
  { db }: ContentDeps,
  input: SearchInput,
  found: FoundHits,
): Promise<FoundHits> {
  const { type, limit } = input
  const offset = offsetOf(input)
  const best = BEST[type]
  if (best === undefined) return { ...found, hits: found.hits.slice(offset, offset + limit) }
  const hits = new Map(found.hits.map((hit) => [hit.id, hit]))
  const ids = [...hits.keys()]
  const rows = await db.read((query) =>
    query.rows<{ id: string }>(`top-hits-${type}`, best, [ids, limit, offset]),
  )
  return { ...found, hits: rows.map(({ id }) => hits.get(id) as FoundHit) }
}
