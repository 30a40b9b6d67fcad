import type { Bus } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { reply } from '@stoa/shared/bus/serve.js'
import { type FoundHit, hydrateHits, type SearchResponse } from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors.js'
import type { FacetDistribution, Hit } from 'meilisearch'
import type { FindHits, Found } from './find-hits.ts'
import { highlighted } from './highlight.ts'
import type { SearchInput } from './meili-query.ts'
import { DEPTH_MAX, readSearchCursor, writeSearchCursor } from './search-cursor.ts'

export interface SearchDeps {
  bus: Bus
  baseUrl: string
  findHits: FindHits
}

/**
 * Ids, order and highlights from Meilisearch; everything shown from content, which leaves out what
 * is not public now. Throws `unavailable` where Meilisearch cannot answer, and `invalid_cursor`.
 */
export async function onSearchAll(deps: SearchDeps, input: SearchInput, meta: Meta) {
  const startedAt = performance.now()
  const offset = readSearchCursor(input.before)
  const limit = Math.min(input.limit, DEPTH_MAX - offset)
  if (limit <= 0) throw new AppError('invalid_cursor')
  const found = await deps.findHits(input, offset, limit)
  const took = () => performance.now() - startedAt
  const { items } =
    found.hits.length === 0
      ? { items: [] }
      : await deps.bus.request(
          hydrateHits,
          { type: input.type, fields: input.fields, hits: found.hits.map(toFoundHit) },
          { ...meta, remainingMs: meta.remainingMs - took() },
        )
  const end = offset + found.hits.length
  const goesOn = found.hits.length === limit && end < Math.min(found.estimatedTotal, DEPTH_MAX)
  const next = goesOn ? writeSearchCursor(end) : null
  return reply<SearchResponse>({
    object: 'search',
    query: input.q,
    type: input.type,
    engine: 'meilisearch',
    degraded: false,
    count: items.length,
    estimated_total: found.estimatedTotal,
    took_ms: Math.round(took() * 10) / 10,
    next_before: next,
    next_url: next === null ? null : nextUrl(deps.baseUrl, input, next),
    facets: facetsOf(found),
    items,
  })
}

function toFoundHit({ id, version, _rankingScore, _formatted }: Hit): FoundHit {
  const highlights: FoundHit['highlights'] = {}
  for (const field of ['title', 'summary', 'body_md'] as const) {
    const html = highlighted(_formatted?.[field])
    if (html !== undefined) highlights[field] = html
  }
  return { id, version, relevance: _rankingScore ?? 0, highlights }
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

const DEFAULTS: Record<string, unknown> = { type: 'post', sort: 'relevance', fields: 'full' }

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
