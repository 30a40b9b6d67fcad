import type { Reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type {
  hydrateHits as contract,
  FoundHit,
  FoundHits,
  SearchResponse,
  SearchType,
} from '@stoa/shared/contracts/search.js'
import { offsetOf, searchAnswer } from '../../answers/search-answer.ts'
import type { ContentDeps } from '../../deps.ts'
import type { SearchInput } from '../../tables/search-statement.ts'

type Facets = FoundHits['facets']

/** Shows hits of the index as they are public now, with the words of the query marked. */
export async function hydrateHits(
  deps: ContentDeps,
  { found, ...input }: InputOf<typeof contract>,
): Promise<Reply<SearchResponse>> {
  await deps.requireKnown(input)
  const page = input.sort === 'top' ? await topHits(deps, input, found) : found
  const facets = publicFacets(deps, found.facets)
  return searchAnswer(deps, input, 'meilisearch', { ...page, facets })
}

/** Leaves out tags that no public post has: the index still counts posts that were just hidden. */
async function publicFacets({ publicTags }: ContentDeps, facets: Facets): Promise<Facets> {
  const tags = Object.keys(facets.tag)
  if (tags.length === 0) return facets
  const shown = await publicTags.load(tags)
  const tag = Object.fromEntries(Object.entries(facets.tag).filter(([name]) => shown.has(name)))
  return { ...facets, tag }
}

/** Highest score first, then newest: ids are in the order of time. */
const BEST: Partial<Record<SearchType, string>> = {
  post: `SELECT post_id AS id FROM post_stats WHERE post_id = ANY($1) AND visible
    ORDER BY score DESC, post_id DESC LIMIT $2 OFFSET $3`,
  comment: `SELECT id FROM comments WHERE id = ANY($1) AND visibility = 'public'
    ORDER BY score DESC, id DESC LIMIT $2 OFFSET $3`,
}

/**
 * A page of the index's hits in the order of present votes: the index has the votes from when a
 * text was last published or edited. Hits of a type without votes stay in the order found.
 */
async function topHits(
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
