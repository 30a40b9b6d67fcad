import { PAGE_LIMIT_MAX } from '@stoa/shared/contracts/common.js'
import type { FeedSort } from '@stoa/shared/contracts/feed.js'
import type { FeedFilters, RareFilter } from './feed-filters.ts'
import type { Columns } from './post-rows.ts'

/** Where a page starts: the value ordered by and the id of the last item before it. */
export interface FeedPosition {
  value: number
  id: string
}

/** A request for one page of a feed. */
export interface FeedPage {
  sort: FeedSort
  columns: Columns
  filters: FeedFilters
  /** The filter that few posts pass. Without it the answer is the same, but takes longer. */
  rare: RareFilter | undefined
  position: FeedPosition | undefined
  /** The publication tick at which a walk in a time order ends; the present tick if undefined. */
  watermarkMs?: number | undefined
  limit: number
}

/**
 * A literal, because the planner takes a parameter as a limit for a tenth of all rows and plans for
 * that many. The limit of the request ends the walk earlier.
 */
const ROWS_MAX = `LIMIT ${PAGE_LIMIT_MAX + 1}`

/**
 * Subquery for the rows of one table that make a page, found before any join. Otherwise the planner
 * may join all matching rows first, if it expects few of them.
 */
export function pageOf(name: 'i' | 'p' | 's', found: string, count: string): string {
  return `(SELECT ${name}.* FROM (${found} ${ROWS_MAX}) ${name} LIMIT ${count}) ${name}`
}
