import { LINKS_COUNTED_MAX } from '@stoa/shared/contracts/post-parts.js'
import type { Query } from '../transaction.ts'
import { CITED_BY, CITES, DUPLICATES } from './post-links.ts'

/** Lengths of those lists of a post that no counter keeps. */
export interface ListCounts {
  citedBy: number
  cites: number
  duplicates: number
}

const SELECTS = { citedBy: CITED_BY, cites: CITES, duplicates: DUPLICATES }

/**
 * Counts end at LINKS_COUNTED_MAX, so that a page costs no more, however often its post is cited.
 */
const COUNTS = Object.entries(SELECTS).map(
  ([name, select]) =>
    `(SELECT count(*)::int FROM (${select('true', `${LINKS_COUNTED_MAX}`)}) x) AS "${name}"`,
)

/** The counts by post id. */
export async function countLists(query: Query, ids: string[]): Promise<Map<string, ListCounts>> {
  const rows = await query.rows<ListCounts & { post_id: string }>(
    'count-lists',
    `SELECT w.post_id, ${COUNTS.join(', ')} FROM unnest($1::text[]) AS w (post_id)`,
    [ids],
  )
  return new Map(rows.map(({ post_id, ...counts }) => [post_id, counts]))
}
