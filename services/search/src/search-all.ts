import type { Bus } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { RawJson, reply } from '@stoa/shared/bus/serve.js'
import { type FoundHit, hydrateHits, type SearchResponse } from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors.js'
import type { FacetDistribution, Hit } from 'meilisearch'
import type { FindHits, Found } from './find-hits.ts'
import type { SearchInput } from './meili-query.ts'
import { DEPTH_MAX, readSearchCursor, writeSearchCursor } from './search-cursor.ts'

export interface SearchDeps {
  bus: Bus
  baseUrl: string
  findHits: FindHits
}

/**
 * Ids and order from Meilisearch; everything shown from content, which leaves out what is not
 * public now and marks the words. Throws `unavailable` where Meilisearch cannot answer, and
 * `invalid_cursor`.
 */
export async function onSearchAll(deps: SearchDeps, input: SearchInput, meta: Meta) {
  const startedAt = performance.now()
  const offset = readSearchCursor(input.before)
  const limit = Math.min(input.limit, DEPTH_MAX - offset)
  if (limit <= 0) throw new AppError('invalid_cursor')
  const found = await deps.findHits(input, offset, limit)
  const took = () => performance.now() - startedAt
  const shown = await show(deps.bus, input, found, {
    ...meta,
    remainingMs: meta.remainingMs - took(),
  })
  const end = offset + found.hits.length
  const goesOn = found.hits.length === limit && end < Math.min(found.estimatedTotal, DEPTH_MAX)
  const next = goesOn ? writeSearchCursor(end) : null
  const head: Omit<SearchResponse, 'count' | 'items'> = {
    object: 'search',
    query: input.q,
    type: input.type,
    engine: 'meilisearch',
    degraded: false,
    estimated_total: found.estimatedTotal,
    took_ms: Math.round(took() * 10) / 10,
    next_before: next,
    next_url: next === null ? null : nextUrl(deps.baseUrl, input, next),
    facets: facetsOf(found),
  }
  return reply<SearchResponse>(joined(head, shown))
}

const NOTHING = Buffer.from('{"count":0,"items":[]}')

async function show(
  bus: Bus,
  { type, fields, q }: SearchInput,
  found: Found,
  meta: Meta,
): Promise<Uint8Array> {
  if (found.hits.length === 0) return NOTHING
  const hits = found.hits.map(toFoundHit)
  return (await bus.requestRaw(hydrateHits, { type, fields, q, hits }, meta)).json
}

function toFoundHit({ id, version, _rankingScore }: Hit): FoundHit {
  return { id, version, relevance: _rankingScore ?? 0 }
}

/** One object of the fields of both, without a look into the second, which is the large one. */
function joined(head: object, rest: Uint8Array): RawJson {
  const open = JSON.stringify(head).slice(0, -1)
  return new RawJson(Buffer.concat([Buffer.from(`${open},`), rest.subarray(1)]))
}

function facetsOf({ facets }: Found): SearchResponse['facets'] {
  return {
    kind: named(facets.kind),
    community: named(facets.community),
    tag: named(facets.tags),
  }
}

/** What has no kind or community is counted under the empty name. */
function named(counts: FacetDistribution[string] = {}): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([name]) => name !== ''))
}

const DEFAULTS: Record<string, unknown> = { type: 'post', sort: 'relevance', fields: 'compact' }

function nextUrl(baseUrl: string, input: SearchInput, before: string): string {
  const { before: _, ...rest } = input
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    const isDefault = value === undefined || value === DEFAULTS[name]
    const text = String(value)
    if (name === 'q' || !(isDefault || text === '')) parameters.set(name, text)
  }
  parameters.set('before', before)
  return `${baseUrl}/api/v1/search?${parameters}`
}
