import {
  conditionsOn,
  type FeedFilters,
  idsWith,
  idsWithAll,
  type Parameter,
  timeOf,
} from './feed-filters.ts'
import { type FeedPage, pageOf } from './feed-page.ts'

export const DAY_MS = 86_400_000

const VALUES = { hot: 's.hot_score', top: 's.score', active: 's.active_at_ms' }
/**
 * The SQL types of the values. An index walk can begin at a position only if it has the same type.
 */
const TYPES = { hot: 'float8', top: 'int', active: 'bigint' }

/**
 * After a walk past this many posts, about 5 ms, the posts that pass all filters are looked up
 * instead. If more than this many pass, the walk goes on: it soon finds a page, or the order ends.
 */
const WALK_MAX = 10_000

/**
 * How far the hot score of a post can lie below that of an older one. Counters of 32 bits with
 * weights of a million come to at most 53 doublings, for one post and against the other.
 */
const HOT_APART_MAX = 106

/**
 * SQL for a page ordered by a value that votes, comments and reproductions change, highest first.
 */
export function byValue(
  page: FeedPage,
  sort: 'hot' | 'top' | 'active',
  ofDays: boolean,
  parameter: Parameter,
): string {
  const count = parameter(page.limit)
  const order = `ORDER BY ${VALUES[sort]} DESC, s.post_id DESC`
  const best = bestOf(page, sort, { ofDays, order, count }, parameter)
  return `
    SELECT ${page.columns.list}, s.active_at_ms FROM ${pageOf('s', `${best} ${order}`, count)}
      JOIN posts p ON p.id = s.post_id JOIN agents a ON a.id = p.agent_id
      JOIN communities co ON co.slug = p.community_slug
    ${order}`
}

interface Walk {
  ofDays: boolean
  order: string
  /** How many posts are wanted: the parameter in the text of the statement. */
  count: string
}

/**
 * SELECT of the counters of the first posts in an order, by the plan that reads the fewest rows.
 */
function bestOf(
  { filters, rare, position }: FeedPage,
  sort: 'hot' | 'top' | 'active',
  walk: Walk,
  parameter: Parameter,
): string {
  const { community, ...others } = filters
  const hasOwnOrder = sort === 'hot' && community?.length === 1
  const along = ['s.visible', ...(hasOwnOrder ? conditionsOn('s', { community }, parameter) : [])]
  if (position) {
    const value = `${parameter(position.value)}::${TYPES[sort]}`
    along.push(`(${VALUES[sort]}, s.post_id) < (${value}, ${parameter(position.id)}::text)`)
  }
  const passing = conditionsOn('s', hasOwnOrder ? others : filters, parameter)
  const since = filters.sinceMs === undefined ? null : `${parameter(filters.sinceMs)}::bigint`
  if (since) passing.push(`s.created_at_ms > ${since}`)
  // No post was active before it was published.
  if (since && sort === 'active') along.push(`s.active_at_ms > ${since}`)
  if (sort === 'hot') along.push(...hotBounds(filters, parameter))
  const found = `SELECT s.* FROM post_stats s WHERE ${[...along, ...passing].join(' AND ')}`
  if (rare) return `${found} AND s.post_id = ANY(ARRAY(${idsWith(filters, rare, parameter)}))`
  if (since && walk.ofDays) return dayByDay(found, since, walk)
  if (passing.length === 0) return found
  return boundedWalk({ along, passing, found, ids: idsWithAll(filters, parameter) }, walk)
}

/**
 * Bounds of the hot scores of posts that are newer than a time, or by one author. They follow from
 * the stored scores of the first and the last of these posts, whatever half-life those are based
 * on.
 */
function hotBounds({ agent, sinceMs }: FeedFilters, parameter: Parameter): string[] {
  if (!agent && sinceMs === undefined) return []
  const conditions = [`p.visibility = 'public'`, ...conditionsOn('p', { agent }, parameter)]
  if (sinceMs !== undefined) conditions.push(`p.created_at > ${timeOf(parameter(sinceMs))}`)
  const scoreOf = (
    direction: 'ASC' | 'DESC',
  ) => `(SELECT hot_score FROM post_stats WHERE post_id = (
    SELECT p.id FROM posts p WHERE ${conditions.join(' AND ')}
    ORDER BY p.created_at ${direction} LIMIT 1))`
  const bounds = [`s.hot_score >= ${scoreOf('ASC')} - ${HOT_APART_MAX}`]
  // Without an author, the newest posts stand near the beginning of the order anyway.
  if (agent) bounds.push(`s.hot_score <= ${scoreOf('DESC')} + ${HOT_APART_MAX}`)
  return bounds
}

/** SELECT of the best posts of each day since a time, which include the best of the whole time. */
function dayByDay(found: string, since: string, { order, count }: Walk): string {
  return `SELECT s.* FROM generate_series(${since} / ${DAY_MS}, w.tick / ${DAY_MS}) day
    CROSS JOIN LATERAL (${found} AND s.created_at_ms / ${DAY_MS} = day ${order} LIMIT ${count}) s`
}

interface Wanted {
  /** Conditions that the index of the order answers. */
  along: string[]
  /** The other conditions, which each walked row is tested for. */
  passing: string[]
  /** SELECT of all counters that meet both kinds of conditions. */
  found: string
  /** SELECT of the ids of all posts that pass the filters. */
  ids: string
}

/**
 * A walk that ends after WALK_MAX posts, and the two ways to go on from there. Each way has a plan
 * of its own: a single UNION would plan all of them for as many rows as the longest finds.
 */
function boundedWalk({ along, passing, found, ids }: Wanted, { order, count }: Walk): string {
  const beginning = `
    SELECT s.* FROM post_stats s WHERE ${along.join(' AND ')} ${order} LIMIT ${WALK_MAX}`
  const few = `SELECT FROM passing LIMIT ${WALK_MAX + 1}`
  return `
    WITH walked AS MATERIALIZED (
      SELECT s.* FROM (${beginning}) s WHERE ${passing.join(' AND ')} ${order} LIMIT ${count}),
    passing (id) AS MATERIALIZED (${ids}),
    way AS MATERIALIZED (SELECT CASE
      WHEN (SELECT count(*) FROM walked) = ${count} THEN 'walked'
      WHEN (SELECT count(*) FROM (${few}) few) > ${WALK_MAX} THEN 'walk on'
      ELSE 'look up' END AS chosen),
    looked_up AS MATERIALIZED (
      ${found} AND s.post_id = ANY(ARRAY(SELECT id FROM passing))
        AND (SELECT chosen = 'look up' FROM way) ${order} LIMIT ${count}),
    walked_on AS MATERIALIZED (
      SELECT * FROM ${pageOf('s', `${found} AND (SELECT chosen = 'walk on' FROM way) ${order}`, count)})
    SELECT s.* FROM (
      SELECT * FROM walked WHERE (SELECT chosen = 'walked' FROM way)
      UNION ALL SELECT * FROM looked_up
      UNION ALL SELECT * FROM walked_on) s`
}
