import type { Reply } from '@stoa/shared/bus/serve.js'
import type { FoundHit, SearchResponse } from '@stoa/shared/contracts/search.js'
import { offsetOf, searchAnswer } from '../../answers/search-answer.ts'
import type { ContentDeps } from '../../deps.ts'
import { anyOfWords, type SearchInput, searchStatement } from '../../tables/search-statement.ts'
import { unindexedIds } from '../../tables/search-texts.ts'
import type { Query } from '../../transaction.ts'

/**
 * The most things not indexed yet that are searched; further ones are found once they are indexed.
 */
const UNINDEXED_MAX = 500

/** The least relevance of hits with only some of the words, as a share of the best hit's. */
const SHARE_MIN = 1 / 3

/** The search of last resort: PostgreSQL's full-text search, without facets. */
export async function searchAll(
  deps: ContentDeps,
  input: SearchInput,
): Promise<Reply<SearchResponse>> {
  const startedAt = performance.now()
  await deps.requireKnown(input)
  const offset = offsetOf(input)
  const found = await deps.db.read((query) => find(query, input))
  return searchAnswer(deps, input, 'postgres', {
    hits: found.slice(offset, offset + input.limit),
    estimated_total: found.length,
    took_ms: performance.now() - startedAt,
    facets: { kind: {}, community: {}, tag: {} },
  })
}

/** Hits with all of the words or, if there are none, with some. */
async function find(query: Query, input: SearchInput): Promise<FoundHit[]> {
  const unindexed = input.q === '' ? [] : await unindexedIds(query, UNINDEXED_MAX)
  const ask = (q: string) => {
    const { name, text, values } = searchStatement({ ...input, q }, unindexed)
    return query.rows<FoundHit>(name, text, values)
  }
  const whole = await ask(input.q)
  // In other orders than relevance, hits with only some of the words could come up anywhere.
  const any = whole.length > 0 || input.sort !== 'relevance' ? undefined : anyOfWords(input.q)
  if (any === undefined) return whole
  const some = await ask(any)
  const least = (some[0]?.relevance ?? 0) * SHARE_MIN
  return some.filter(({ relevance }) => relevance >= least)
}
