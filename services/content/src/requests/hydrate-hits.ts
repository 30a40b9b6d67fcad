import type { Reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { hydrateHits as contract, SearchResponse } from '@stoa/shared/contracts/search.js'
import type { ContentDeps } from '../deps.ts'
import { searchAnswer } from './search-answer.ts'
import { topHits } from './top-hits.ts'

/** Shows what the index found by what is public now, with the words of the query marked. */
export async function hydrateHits(
  deps: ContentDeps,
  { found, ...input }: InputOf<typeof contract>,
): Promise<Reply<SearchResponse>> {
  const page = input.sort === 'top' ? await topHits(deps, input, found) : found
  return searchAnswer(deps, input, 'meilisearch', page)
}
