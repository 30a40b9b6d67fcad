import type { FeedSort } from '@stoa/shared/contracts/feed.js'
import { LRUCache } from 'lru-cache'
import type { Query } from '../transaction.ts'
import {
  type FeedFilters,
  idsWith,
  isTimeOrder,
  type Parameter,
  type RareFilter,
  shapeOf,
} from './feed-filters.ts'

/** The filter that fewest posts pass, where these are few enough to look them all up. */
export type FindRare = (
  query: Query,
  sort: FeedSort,
  filters: FeedFilters,
) => Promise<RareFilter | undefined>

/** So many posts or fewer may be looked up one by one. */
const RARE_MAX = 2_000
/** What is new stands near the beginning of most orders, unless it is not even a page. */
const NEW_MAX = 200

/**
 * A walk finds 26 of M posts, a page, among 26 × N / M of all N. Looking up all M takes as long as
 * some 7 × M on a walk, which is less where M × M is below 4 × N.
 */
const FEW = `(SELECT least(${RARE_MAX}, 2 * sqrt(greatest(reltuples, 0)))
  FROM pg_class WHERE oid = 'posts'::regclass)`

/** What is rare stays about as rare for a minute; the answer of a feed never depends on it. */
const REMEMBERED_MS = 60_000
const REMEMBERED_MAX = 1_000

/**
 * A walk down an order finds what has its share of all posts soon, and what is rare late or never.
 * Counting costs nearly as much as a page, so what was counted is remembered for a while.
 */
export function createFindRare(): FindRare {
  const remembered = new LRUCache<string, { rare: RareFilter | undefined }>({
    max: REMEMBERED_MAX,
    ttl: REMEMBERED_MS,
  })
  return async (query, sort, filters) => {
    const asked = worthCounting(sort, filters)
    if (asked.length === 0) return undefined
    // A time that moves with the clock is asked for once.
    if (filters.sinceMs !== undefined) return rarestOf(query, asked, filters)
    const key = JSON.stringify([asked, filters])
    const known = remembered.get(key)
    if (known) return known.rare
    const rare = await rarestOf(query, asked, filters)
    remembered.set(key, { rare })
    return rare
  }
}

/** Those for which the order has no index of its own. */
function worthCounting(
  sort: FeedSort,
  { kind, community, tag, agent, resolved, sinceMs }: FeedFilters,
): RareFilter[] {
  if (isTimeOrder(sort)) return tag && tag.length > 1 ? ['tag'] : []
  const given = {
    kind,
    community: sort === 'hot' && community?.length === 1 ? undefined : community,
    tag,
    agent,
    // Most posts have no answer.
    resolved: resolved === 'true' ? resolved : undefined,
    // The best of a window are found day by day.
    since: sort === 'top' ? undefined : sinceMs,
  }
  const names = Object.keys(given) as RareFilter[]
  return names.filter((name) => given[name] !== undefined)
}

async function rarestOf(
  query: Query,
  asked: RareFilter[],
  filters: FeedFilters,
): Promise<RareFilter | undefined> {
  const values: unknown[] = []
  const parameter: Parameter = (value) => `$${values.push(value)}`
  const counts = asked.map((name) => {
    const some = `${idsWith(filters, name, parameter)} LIMIT ${RARE_MAX + 1}`
    return `SELECT '${name}' AS name, count(*) AS found FROM (${some}) ${name}`
  })
  const rows = await query.rows<{ name: RareFilter }>(
    `feed:rarest-${asked.join('-')}-${shapeOf(filters)}`,
    `SELECT name FROM (${counts.join(' UNION ALL ')}) counted
     WHERE found <= CASE name WHEN 'since' THEN ${NEW_MAX} ELSE ${FEW} END ORDER BY found LIMIT 1`,
    values,
  )
  return rows[0]?.name
}
