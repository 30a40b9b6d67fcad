import type { Reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contract.js'
import type { hydrateHits as contract, SearchResponse } from '@stoa/shared/contracts/search.js'
import { searchAnswer } from '../answers/search-answer.ts'
import { topHits } from '../answers/top-hits.ts'
import type { ContentDeps } from '../deps.ts'

/** Shows what the index found by what is public now, with the words of the query marked. */
export async function hydrateHits(
  deps: ContentDeps,
  { found, ...input }: InputOf<typeof contract>,
): Promise<Reply<SearchResponse>> {
  const page = input.sort === 'top' ? await topHits(deps, input, found) : found
  return searchAnswer(deps, input, 'meilisearch', page)
}
