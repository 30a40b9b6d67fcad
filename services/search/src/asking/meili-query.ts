import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { findHits } from '@stoa/shared/contracts/search.js'
import { UNSPACED_LETTER } from '@stoa/shared/texts/search-words.js'
import type { MatchingStrategies, SearchParams } from 'meilisearch'
import { parseQuery, type Query, textOf } from './query-words.ts'

const FACETS = ['kind', 'community', 'tags']

export type SearchInput = InputOf<typeof findHits>

/** The query for Meilisearch: `limit` results after the first `offset`. */
export function meiliQuery(input: SearchInput, offset: number, limit: number): SearchParams {
  const sort = sortOf(input)
  const query = parseQuery(input.q)
  return {
    q: textOf(query),
    offset,
    limit,
    filter: filterOf(input),
    ...(sort ? { sort } : {}),
    matchingStrategy: strategyFor(query),
    facets: FACETS,
    // Content shows the rest. Meilisearch's own highlights would cost several times the search.
    attributesToRetrieve: ['id', 'version'],
    showRankingScore: true,
  }
}

/** The same query for the first `limit` results of one of several indexes, for `mergeFound`. */
export function mergeableQuery(input: SearchInput, limit: number): SearchParams {
  const attributesToRetrieve = ['id', 'version', 'score', 'created_at']
  return { ...meiliQuery(input, 0, limit), attributesToRetrieve }
}

/** Counts the texts that pass the filters and match a query; without words, all that pass. */
export function countQuery(input: SearchInput, query: Query): SearchParams {
  const matchingStrategy = strategyFor(query)
  return { q: textOf(query), limit: 0, filter: filterOf(input), matchingStrategy }
}

/** The first `limit` texts that match a part of a query, with the fields that facets count. */
export function partQuery(input: SearchInput, query: Query, limit: number): SearchParams {
  const { facets: _, attributesToRetrieve = [], ...others } = mergeableQuery(input, limit)
  return {
    ...others,
    q: textOf(query),
    matchingStrategy: strategyFor(query),
    attributesToRetrieve: [...attributesToRetrieve, ...FACETS],
  }
}

/**
 * Texts with only some of the words are looked for apart, if few have all (`findSomeWords`):
 * Meilisearch drops words by their place, or by how common they are in texts that the filters
 * exclude too. Only Meilisearch tells words without spaces apart.
 */
function strategyFor({ parts }: Query): MatchingStrategies {
  const [first = ''] = parts
  return parts.length === 1 && UNSPACED_LETTER.test(first) ? 'frequency' : 'all'
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
