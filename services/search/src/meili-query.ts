import type { InputOf } from '@stoa/shared/contract.js'
import type { findHits } from '@stoa/shared/contracts/search.js'
import type { SearchParams } from 'meilisearch'
import { queryWords } from './query-words.ts'

export type SearchInput = InputOf<typeof findHits>

/** What Meilisearch is asked: `limit` results behind the first `offset`. */
export function meiliQuery(input: SearchInput, offset: number, limit: number): SearchParams {
  const sort = sortOf(input)
  return {
    q: queryWords(input.q),
    offset,
    limit,
    filter: filterOf(input),
    ...(sort ? { sort } : {}),
    // Texts with all the words come first, and then those that lack the commonest: in a question any
    // word may be one that nobody wrote. Where relevance does not order them, they would come up anywhere.
    matchingStrategy: input.sort === 'relevance' ? 'frequency' : 'all',
    facets: ['kind', 'community', 'tags'],
    // Content shows the rest. Highlights of Meilisearch's own would cost several times the search.
    attributesToRetrieve: ['id', 'version'],
    showRankingScore: true,
  }
}

/** The same for the first `limit` results of one of several indexes, for `mergeFound`. */
export function mergeableQuery(input: SearchInput, limit: number): SearchParams {
  const attributesToRetrieve = ['id', 'version', 'score', 'created_at']
  return { ...meiliQuery(input, 0, limit), attributesToRetrieve }
}

function sortOf({ q, sort }: SearchInput): string[] | undefined {
  if (sort === 'top') return ['score:desc', 'created_at:desc']
  if (sort === 'new' || q === '') return ['created_at:desc']
  return undefined
}

/** Conditions that all must hold; within one, any of its values may. */
function filterOf(input: SearchInput): string[] {
  const filter = [`type = ${input.type}`]
  const anyOf = (attribute: string, values: string[] | undefined) => {
    if (values?.length) filter.push(`${attribute} IN [${values.map(quoted).join(', ')}]`)
  }
  anyOf('kind', input.kind)
  anyOf('community', input.community)
  anyOf('tags', input.tag)
  anyOf('agent', input.agent === undefined ? undefined : [input.agent])
  if (input.since !== undefined) filter.push(`created_at > ${Date.parse(input.since)}`)
  return filter
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}
