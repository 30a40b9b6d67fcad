import { FACET_VALUES_MAX } from '@stoa/shared/contracts/search.js'
import type { FacetDistribution, Hit, SearchResponse } from 'meilisearch'

export interface Found {
  hits: Hit[]
  /** How many there are altogether, as far as Meilisearch counts. */
  estimatedTotal: number
  facets: FacetDistribution
  /** How many hits were left out because another index has a later version of them. */
  outdated?: number
}

export function foundBy({ hits, estimatedTotalHits, facetDistribution }: SearchResponse): Found {
  return {
    hits,
    estimatedTotal: estimatedTotalHits ?? hits.length,
    facets: facetDistribution ?? {},
  }
}

/** The fields that order hits after `sort`, each falling: relevance, and the last ranking rules. */
const ORDER = ['_rankingScore', 'score', 'created_at']

/**
 * What was found in several indexes, in the order of one; a document that several have shows its
 * last version. Counts are sums, so such a document is counted in each.
 */
export function mergeFound(parts: Found[], sort: string[] = []): Found {
  const last = new Map<string, Hit>()
  const all = parts.flatMap(({ hits }) => hits)
  for (const hit of all) {
    const other = last.get(hit.id)
    if (other === undefined || hit.version > other.version) last.set(hit.id, hit)
  }
  const keys = [...sort.map((one) => one.replace(':desc', '')), ...ORDER]
  const order = (a: Hit, b: Hit) => {
    const key = keys.find((one) => a[one] !== b[one])
    return key === undefined ? 0 : b[key] - a[key]
  }
  return {
    hits: [...last.values()].sort(order),
    estimatedTotal: parts.reduce((sum, { estimatedTotal }) => sum + estimatedTotal, 0),
    facets: sumOf(parts.map(({ facets }) => facets)),
    outdated: all.length - last.size,
  }
}

function sumOf(parts: FacetDistribution[]): FacetDistribution {
  const names = new Set(parts.flatMap(Object.keys))
  return Object.fromEntries([...names].map((name) => [name, sums(parts, name)]))
}

function sums(parts: FacetDistribution[], name: string): Record<string, number> {
  return mostFrequent(parts.flatMap((part) => Object.entries(part[name] ?? {})))
}

/**
 * The most frequent values, with the sums of their counts. A Map, as a tag may be `constructor`.
 */
export function mostFrequent(counted: [string, number][]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const [value, count] of counted) counts.set(value, (counts.get(value) ?? 0) + count)
  const falling = [...counts].sort(([, a], [, b]) => b - a)
  return Object.fromEntries(falling.slice(0, FACET_VALUES_MAX))
}
