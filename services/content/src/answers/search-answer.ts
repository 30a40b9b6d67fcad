import { readCursor, searchListName, writeCursor } from '@stoa/shared/answers/cursor.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import {
  type FoundHit,
  type FoundHits,
  SEARCH_DEPTH_MAX,
  SearchPosition,
  type SearchResponse,
} from '@stoa/shared/contracts/search.js'
import { idForm } from '@stoa/shared/identifiers/ids.js'
import { excludedFrom } from '@stoa/shared/texts/search-words.js'
import type { ContentDeps } from '../deps.ts'
import { nextUrl } from '../rendering/cursors.ts'
import { listJson, listStart, packItems } from '../rendering/pack-items.ts'
import { FILTERS, type SearchInput } from '../tables/search-statement.ts'
import { showHits } from './show-hits.ts'

/** How many hits come before the page. Throws `invalid_cursor` for a cursor not of this search. */
export function offsetOf(input: SearchInput): number {
  const [offset] = readCursor(searchListName(input), SearchPosition, input.before) ?? [0]
  return offset
}

/** What a search found; the facets may still be loading while its hits are read. */
type Found = Omit<FoundHits, 'facets'> & {
  facets: FoundHits['facets'] | Promise<FoundHits['facets']>
}

/** The answer to a search by either engine. A page that would grow too large ends early. */
export async function searchAnswer(
  deps: ContentDeps,
  input: SearchInput,
  engine: SearchResponse['engine'],
  { hits, estimated_total, took_ms, facets: counting }: Found,
): Promise<Reply<SearchResponse>> {
  const startedAt = performance.now()
  const named = namedThing(input)
  const listed = named ? namedFirst(named, hits).slice(0, input.limit) : hits
  const [shown, facets] = await Promise.all([showHits(deps.things, input, listed), counting])
  const packed = packItems(shown.map(({ json }) => json))
  const cut = shown[packed.count]
  const end = offsetOf(input) + countShown(hits, listed.slice(0, cut?.position))
  const isFull = cut !== undefined || listed.length === input.limit
  const goesOn = isFull && end < Math.min(estimated_total, SEARCH_DEPTH_MAX)
  const next = goesOn ? writeCursor(searchListName(input), [end]) : null
  const isAdded = named && shown[0]?.position === 0 && !hits.some(({ id }) => id === named.id)
  const excluded = excludedFrom(input.q)
  const tookMs = took_ms + performance.now() - startedAt
  const head: Omit<SearchResponse, 'items'> = {
    object: 'search',
    query: input.q,
    ...(excluded.length > 0 ? { excluded } : {}),
    type: input.type,
    engine,
    degraded: engine === 'postgres',
    count: packed.count,
    estimated_total: estimated_total + (isAdded ? 1 : 0),
    took_ms: Math.round(tookMs * 10) / 10,
    next_before: next,
    next_url: next === null ? null : searchUrl(deps.baseUrl, input, next),
    facets,
  }
  const tags = [...new Set(shown.flatMap((hit) => hit.tags))]
  return reply<SearchResponse>(listJson(listStart(head), packed), { tags })
}

/**
 * The thing that a query names by its id, or an address with the id, if the query is nothing else.
 * The index does not hold ids. Further pages and filtered ones do not begin with this thing.
 */
function namedThing(input: SearchInput): FoundHit | undefined {
  if (input.before !== undefined || FILTERS.some((filter) => input[filter]?.length))
    return undefined
  const pattern = `^\\S*(?<![a-z0-9])(${idForm(input.type)})(?![0-9a-f])\\S*$`
  const [, id] = new RegExp(pattern).exec(input.q) ?? []
  return id === undefined ? undefined : { id, version: 0, relevance: 1 }
}

function namedFirst(named: FoundHit, hits: FoundHit[]): FoundHit[] {
  return [named, ...hits.filter(({ id }) => id !== named.id)]
}

/**
 * How many hits come before the first one not in `shown`: the named thing may take the place of
 * one.
 */
function countShown(hits: FoundHit[], shown: FoundHit[]): number {
  const ids = new Set(shown.map(({ id }) => id))
  const next = hits.findIndex(({ id }) => !ids.has(id))
  return next < 0 ? hits.length : next
}

function searchUrl(baseUrl: string, input: SearchInput, before: string): string {
  const { q, type, kind, community, tag, agent, since, sort, limit, fields } = input
  const query = { q, type, kind, community, tag, agent, since, sort, limit, fields }
  return nextUrl({ baseUrl, path: '/api/v1/search', query }, before)
}
