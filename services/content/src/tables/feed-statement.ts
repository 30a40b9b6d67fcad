import { PAGE_LIMIT_MAX } from '@stoa/shared/contracts/common.js'
import type { FeedSort } from '@stoa/shared/contracts/feed.js'
import {
  conditionsOn,
  type FeedFilters,
  idsWith,
  idsWithAll,
  isTimeOrder,
  type Parameter,
  type RareFilter,
  shapeOf,
  timeOf,
} from './feed-filters.ts'
import { POST_JOINS } from './post-rows.ts'

/** What a statement selects of each post; equal names mean equal lists. */
export interface Columns {
  name: string
  list: string
}

/** Where a page starts: the value ordered by and the id of the last item before it. */
export interface FeedPosition {
  value: number
  id: string
}

interface FeedStatement {
  name: string
  text: string
  values: unknown[]
}

interface Page {
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

const DAY_MS = 86_400_000
/** A window of no more days is answered from the best of each of its days. */
const DAYS_MAX = 32

const VALUES = { hot: 's.hot_score', top: 's.score', active: 's.active_at_ms' }
/** A walk begins at its position only where that is of the order's own type. */
const TYPES = { hot: 'float8', top: 'int', active: 'bigint' }

/**
 * Stands in the text, for the planner takes an unknown limit for a tenth of all rows and prepares
 * for those; the limit that was asked for ends the walk earlier.
 */
const ROWS_MAX = `LIMIT ${PAGE_LIMIT_MAX + 1}`

/**
 * After so many posts of an order, some 5 ms, what passes all filters is looked up instead. Where
 * that is more than so many as well, the walk goes on: it finds a page sooner, or the order ends.
 */
const WALK_MAX = 10_000

/** By the clock that publications are dated with, and no later than what the statement sees. */
const NOW_MS = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint AS now_ms'

/**
 * One statement for one page of a feed. Its text depends only on which filters are there, so that
 * there are few plans; the values travel as parameters. In the time orders the page is bounded by
 * the publication tick of the same snapshot, which every row answers as `tick`: everything up to
 * it is committed and visible (see publication.ts). Every row answers the time as well, as `now_ms`.
 */
export function feedStatement(page: Page): FeedStatement {
  const values: unknown[] = []
  const parameter: Parameter = (value) => `$${values.push(value)}`
  const { sort } = page
  const ofDays = isOfDays(page)
  const rows = isTimeOrder(sort)
    ? byTime(page, sort, parameter)
    : byValue(page, sort, ofDays, parameter)
  const text = `
    SELECT w.tick, w.now_ms, page.* FROM (SELECT tick, ${NOW_MS} FROM publication LIMIT 1) w
    LEFT JOIN LATERAL (${rows}) page ON true`
  return { name: statementName(page, ofDays), text, values }
}

/** Along the publication times of posts, or of those with a tag. */
function byTime(
  { columns, filters, rare, position, watermarkMs, limit }: Page,
  sort: 'new' | 'oldest',
  parameter: Parameter,
): string {
  const { kind, community, tag, agent, sinceMs } = filters
  const oneTag = tag?.length === 1
  const [column, id] = oneTag ? ['t.created_at', 't.post_id'] : ['p.created_at', 'p.id']
  const direction = sort === 'new' ? 'DESC' : 'ASC'
  const conditions = [`p.visibility = 'public'`]
  conditions.push(...conditionsOn(oneTag ? 't' : 'p', { kind, community }, parameter))
  conditions.push(...conditionsOn('p', { agent, tag: oneTag ? undefined : tag }, parameter))
  if (oneTag) conditions.push(`t.tag = ${parameter(tag[0])}`)
  if (rare) conditions.push(`p.id = ANY(ARRAY(${idsWith(filters, rare, parameter)}))`)
  if (sinceMs !== undefined) conditions.push(`${column} > ${timeOf(parameter(sinceMs))}`)
  if (position) {
    const after = sort === 'new' ? '<' : '>'
    const value = timeOf(parameter(position.value))
    conditions.push(`(${column}, ${id}) ${after} (${value}, ${parameter(position.id)}::text)`)
  }
  const bound = parameter(watermarkMs ?? null)
  conditions.push(`${column} <= ${timeOf(`coalesce(${bound}::bigint, w.tick)`)}`)
  const found = `
    SELECT p.* FROM ${oneTag ? 'post_tags t JOIN posts p ON p.id = t.post_id' : 'posts p'}
    WHERE ${conditions.join(' AND ')} ORDER BY ${column} ${direction}, ${id} ${direction}`
  return `
    SELECT ${columns.list}, s.active_at_ms FROM ${pageOf('p', found, parameter(limit))} ${POST_JOINS}
    ORDER BY p.created_at ${direction}, p.id ${direction}`
}

/** Along a value that changes with what a post receives, from the highest down. */
function byValue(
  page: Page,
  sort: 'hot' | 'top' | 'active',
  ofDays: boolean,
  parameter: Parameter,
): string {
  const count = parameter(page.limit)
  const order = `ORDER BY ${VALUES[sort]} DESC, s.post_id DESC`
  const found = bestOf(page, sort, { ofDays, order, count }, parameter)
  return `
    SELECT ${page.columns.list}, s.active_at_ms FROM ${pageOf('s', `${found} ${order}`, count)}
      JOIN posts p ON p.id = s.post_id JOIN agents a ON a.id = p.agent_id
      JOIN communities co ON co.slug = p.community_slug
    ${order}`
}

interface Walk {
  ofDays: boolean
  order: string
  /** How many posts are wanted, as it stands in the text. */
  count: string
}

/** The counters of what is first in an order, by the way that finds them with the least reading. */
function bestOf(
  { filters, rare, position }: Page,
  sort: 'hot' | 'top' | 'active',
  { ofDays, order, count }: Walk,
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
  const all = [...along, ...passing].join(' AND ')
  const found = `SELECT s.* FROM post_stats s WHERE ${all}`
  if (rare) return `${found} AND s.post_id = ANY(ARRAY(${idsWith(filters, rare, parameter)}))`
  if (ofDays) {
    return `SELECT s.* FROM generate_series(${since} / ${DAY_MS}, w.tick / ${DAY_MS}) day
      CROSS JOIN LATERAL (${found} AND s.created_at_ms / ${DAY_MS} = day ${order} LIMIT ${count}) s`
  }
  if (passing.length === 0) return found
  const walk = `SELECT s.* FROM post_stats s WHERE ${along.join(' AND ')} ${order} LIMIT ${WALK_MAX}`
  // Each has a plan of its own: in one UNION all are planned for as many rows as the longest finds.
  return `
    WITH walked AS MATERIALIZED (
      SELECT s.* FROM (${walk}) s WHERE ${passing.join(' AND ')} ${order} LIMIT ${count}),
    passing (id) AS MATERIALIZED (${idsWithAll(filters, parameter)}),
    way AS MATERIALIZED (SELECT CASE
      WHEN (SELECT count(*) FROM walked) = ${count} THEN 'walked'
      WHEN (SELECT count(*) FROM (SELECT FROM passing LIMIT ${WALK_MAX + 1}) few) > ${WALK_MAX}
        THEN 'walk on' ELSE 'look up' END AS chosen),
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

/**
 * The rows of one table that make a page, found before anything is joined to them: otherwise the
 * planner may join all that matches first where it expects little to match.
 */
function pageOf(name: 'p' | 's', found: string, count: string): string {
  return `(SELECT ${name}.* FROM (${found} ${ROWS_MAX}) ${name} LIMIT ${count}) ${name}`
}

/** Asked once for a statement: a moment later the answer may be another. */
function isOfDays({ sort, filters: { sinceMs } }: Page): boolean {
  return sort === 'top' && sinceMs !== undefined && Date.now() - sinceMs <= DAYS_MAX * DAY_MS
}

/** Equal names mean equal texts: everything that shapes the text is in the name. */
function statementName(page: Page, ofDays: boolean): string {
  const { sort, columns, filters, rare, position } = page
  const flags = [ofDays, position !== undefined].map((flag) => (flag ? 1 : 0))
  return `feed-${sort}-${columns.name}-${shapeOf(filters)}${flags.join('')}-${rare ?? 'any'}`
}
