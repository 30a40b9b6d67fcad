import { PAGE_LIMIT_MAX } from '@stoa/shared/contracts/common.js'
import type { FeedSort } from '@stoa/shared/contracts/feed.js'
import type { FeedFilters, RareFilter } from './feed-filters.ts'
import type { Columns } from './post-rows.ts'

/** Where a page starts: the value ordered by and the id of the last item before it. */
export interface FeedPosition {
  value: number
  id: string
}

/** What is asked for of a feed. */
export interface FeedPage {
  sort: FeedSort
  columns: Columns
  filters: FeedFilters
  /** What few posts pass. Equal answers come without it, in more time. */
  rare: RareFilter | undefined
  position: FeedPosition | undefined
  /** The publication tick a walk in a time order ends at; that of now when undefined. */
  watermarkMs?: number | undefined
  limit: number
}

/**
 * Stands in the text, for the planner takes an unknown limit for a tenth of all rows and prepares
 * for those; the limit that was asked for ends the walk earlier.
 */
const ROWS_MAX = `LIMIT ${PAGE_LIMIT_MAX + 1}`

/**
 * The rows of one table that make a page, found before anything is joined to them: otherwise the
 * planner may join all that matches first where it expects little to match.
 */
export function pageOf(name: 'i' | 'p' | 's', found: string, count: string): string {
  return `(SELECT ${name}.* FROM (${found} ${ROWS_MAX}) ${name} LIMIT ${count}) ${name}`
}
