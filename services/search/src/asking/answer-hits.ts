import { readCursor, searchListName } from '@stoa/shared/answers/cursor.js'
import { reply } from '@stoa/shared/bus/serve.js'
import {
  type FoundHit,
  type FoundHits,
  SEARCH_DEPTH_MAX,
  SearchPosition,
} from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import type { FacetDistribution, Hit } from 'meilisearch'
import type { AskIndex } from './ask-index.ts'
import type { SearchInput } from './meili-query.ts'

/**
 * A page of hits, for content to show. Throws `unavailable` if Meilisearch cannot answer, and
 * `invalid_cursor`.
 */
export async function answerHits(askIndex: AskIndex, input: SearchInput) {
  const startedAt = performance.now()
  const [offset] = readCursor(searchListName(input), SearchPosition, input.before) ?? [0]
  const limit = Math.min(input.limit, SEARCH_DEPTH_MAX - offset)
  if (limit <= 0) throw new AppError('invalid_cursor')
  // Content orders by the present votes, for which it needs all hits.
  const [from, count] = input.sort === 'top' ? [0, SEARCH_DEPTH_MAX] : [offset, limit]
  const { hits, estimatedTotal, facets } = await askIndex(input, from, count)
  return reply<FoundHits>({
    hits: hits.map((hit) => foundHit(hit, input)),
    estimated_total: estimatedTotal,
    took_ms: performance.now() - startedAt,
    facets: {
      kind: named(facets.kind),
      community: named(facets.community),
      tag: named(facets.tags),
    },
  })
}

/** Without words, Meilisearch takes every document for a perfect match. */
function foundHit({ id, version, _rankingScore = 0 }: Hit, { q }: SearchInput): FoundHit {
  return { id, version, relevance: q === '' ? 0 : _rankingScore }
}

/** Documents without a kind or community are counted under the empty name. */
function named({ '': _, ...counts }: FacetDistribution[string] = {}): Record<string, number> {
  return counts
}
