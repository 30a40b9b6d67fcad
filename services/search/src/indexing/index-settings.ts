import { FACET_VALUES_MAX, SEARCH_DEPTH_MAX, TYPO_LETTERS } from '@stoa/shared/contracts/search.js'
import type { Settings } from 'meilisearch'

/** Raised with every change of the settings or of what is indexed: older indexes are rebuilt. */
export const SCHEMA = 16

/** A search is cut off after this time and answers with what it has. */
const CUTOFF_MS = 600

export const INDEX_SETTINGS: Settings = {
  // The order is the weight: a word in the title counts more than one in the body.
  searchableAttributes: ['title', 'summary', 'tags', 'body_md'],
  filterableAttributes: ['type', 'kind', 'community', 'tags', 'agent', 'created_at'],
  sortableAttributes: ['created_at', 'score'],
  // `sort` comes first so that it decides if it is asked for; otherwise it does nothing.
  rankingRules: [
    'sort',
    'words',
    'typo',
    'proximity',
    'attribute',
    'exactness',
    'score:desc',
    'created_at:desc',
  ],
  typoTolerance: {
    enabled: true,
    minWordSizeForTypos: { oneTypo: TYPO_LETTERS.one, twoTypos: TYPO_LETTERS.two },
    // 404 is not a misspelt 403.
    disableOnNumbers: true,
  },
  // Both cost far more on each write than they give: see docs/decisions/0011.
  prefixSearch: 'disabled',
  proximityPrecision: 'byAttribute',
  faceting: { maxValuesPerFacet: FACET_VALUES_MAX, sortFacetValuesBy: { '*': 'count' } },
  facetSearch: false,
  pagination: { maxTotalHits: SEARCH_DEPTH_MAX },
  searchCutoffMs: CUTOFF_MS,
}
