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

/** Answers the filter that the fewest posts pass, if they are few enough to look them all up. */
export type FindRare = (
  query: Query,
  sort: FeedSort,
  filters: FeedFilters,
) => Promise<RareFilter | undefined>

/** The most posts that may be looked up one by one. */
const RARE_MAX = 2_000
/**
 * The most posts newer than `since` that are looked up; a walk along most orders soon meets more.
 */
const NEW_MAX = 200

/**
 * If M of all N posts pass a filter, a walk reads 26 × N / M posts to find a page of 26. Looking up
 * all M takes as long as walking past about 7 × M, which is less if M × M is below 4 × N.
 */
const FEW = `(SELECT least(${RARE_MAX}, 2 * sqrt(greatest(reltuples, 0)))
  FROM pg_class WHERE oid = 'posts'::regclass)`

/**
 * How long a count is remembered: in a minute, a filter stays about as rare as it was. The answer
 * of a feed never depends on it.
 */
const REMEMBERED_MS = 60_000
const REMEMBERED_MAX = 1_000

/**
 * A walk down an order soon finds posts that pass a common filter, but those that pass a rare one
 * late or never. Counting costs nearly as much as a page, so counts are remembered for a while.
 */
export function createFindRare(): FindRare {
  const remembered = new LRUCache<string, { rare: RareFilter | undefined }>({
    max: REMEMBERED_MAX,
    ttl: REMEMBERED_MS,
  })
  return async (query, sort, filters) => {
    const asked = worthCounting(sort, filters)
    if (asked.length === 0) return undefined
    // A time that moves with the clock is never asked for again.
    if (filters.sinceMs !== undefined) return rarestOf(query, asked, filters)
    const key = JSON.stringify([asked, filters])
    const known = remembered.get(key)
    if (known) return known.rare
    const rare = await rarestOf(query, asked, filters)
    remembered.set(key, { rare })
    return rare
  }
}

/** The given filters that may be rare and that no index of the order answers. */
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
    // `false` is never rare: most posts have no accepted answer.
    resolved: resolved === 'true' ? resolved : undefined,
    // In the top order, the best posts of a window are found day by day.
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
