import type { FeedSort } from '@stoa/shared/contracts/feed.js'
import { COMPACT_COLUMNS, FEED_COLUMNS, type Fields, POST_JOINS } from '../rendering/post.ts'

export interface FeedFilters {
  kind?: string[] | undefined
  community?: string[] | undefined
  tag?: string[] | undefined
  agent?: string | undefined
  /** Few posts have the tag, so they are looked up rather than met on a walk down the order. */
  tagIsRare?: boolean | undefined
  /** Only what was published after this, in milliseconds since 1970. */
  sinceMs?: number | undefined
}

/** Where a page starts: the value ordered by and the id of the last item before it. */
export interface FeedPosition {
  value: number
  id: string
}

export interface FeedStatement {
  name: string
  text: string
  values: unknown[]
}

interface Order {
  /** What the list is ordered by, and how a position is compared with it. */
  column: string
  descending: boolean
  /** The expression a position's number becomes. */
  position: (parameter: string) => string
}

const TIME = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`
const NUMBER = (parameter: string) => `${parameter}::float8`

const ORDERS: Record<FeedSort, Order> = {
  new: { column: 'p.created_at', descending: true, position: TIME },
  oldest: { column: 'p.created_at', descending: false, position: TIME },
  hot: { column: 's.hot_score', descending: true, position: NUMBER },
  top: { column: 's.score', descending: true, position: NUMBER },
  active: { column: 's.active_at_ms', descending: true, position: NUMBER },
}

export function isTimeOrder(sort: FeedSort): boolean {
  return sort === 'new' || sort === 'oldest'
}

/**
 * One statement for one page of a feed. Its text depends only on which filters are there, so that
 * there are few plans; the values travel as parameters. In the time orders the page is bounded by
 * the publication tick of the same snapshot, which every row answers as `tick`: everything up to
 * it is committed and visible (see publication.ts).
 */
export function feedStatement(
  sort: FeedSort,
  fields: Fields,
  filters: FeedFilters,
  position: FeedPosition | undefined,
  bounds: { watermarkMs?: number | undefined; limit: number },
): FeedStatement {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const order = ORDERS[sort]
  const oneTag = isTimeOrder(sort) && filters.tag?.length === 1
  const column = oneTag ? 't.created_at' : order.column
  const id = oneTag ? 't.post_id' : order.column.startsWith('s.') ? 's.post_id' : 'p.id'
  const direction = order.descending ? 'DESC' : 'ASC'
  const conditions = filterConditions(sort, filters, oneTag, parameter)
  if (position) {
    const value = order.position(parameter(position.value))
    const after = order.descending ? '<' : '>'
    conditions.push(`(${column}, ${id}) ${after} (${value}, ${parameter(position.id)}::text)`)
  }
  if (isTimeOrder(sort)) {
    const bound = parameter(bounds.watermarkMs ?? null)
    conditions.push(`${column} <= ${TIME(`coalesce(${bound}::bigint, w.tick)`)}`)
  }
  const from = oneTag ? 'post_tags t JOIN posts p ON p.id = t.post_id' : 'posts p'
  const text = `
    SELECT w.tick, page.* FROM publication w LEFT JOIN LATERAL (
      SELECT ${fields === 'full' ? FEED_COLUMNS : COMPACT_COLUMNS}, s.active_at_ms
      FROM ${from} ${POST_JOINS}
      WHERE ${conditions.join(' AND ')}
      ORDER BY ${column} ${direction}, ${id} ${direction} LIMIT ${parameter(bounds.limit)}
    ) page ON true`
  return { name: statementName(sort, fields, filters, position), text, values }
}

function filterConditions(
  sort: FeedSort,
  filters: FeedFilters,
  oneTag: boolean,
  parameter: (value: unknown) => string,
): string[] {
  // The ordered table carries the filters, so that the index in order can serve them.
  const table = isTimeOrder(sort) ? 'p' : 's'
  const conditions = isTimeOrder(sort) ? [`p.visibility = 'public'`] : ['s.visible']
  const { kind, community, tag, agent, sinceMs } = filters
  if (kind) conditions.push(`${table}.kind = ANY(${parameter(kind)}::text[])`)
  if (community?.length === 1) {
    conditions.push(`${table}.community_slug = ${parameter(community[0])}`)
  } else if (community) {
    conditions.push(`${table}.community_slug = ANY(${parameter(community)}::text[])`)
  }
  if (oneTag) conditions.push(`t.tag = ${parameter(tag?.[0])}`)
  else if (tag) {
    const tagged = `SELECT post_id FROM post_tags WHERE tag = ANY(${parameter(tag)}::text[])`
    const rare = filters.tagIsRare
    conditions.push(rare ? `s.post_id = ANY(ARRAY(${tagged}))` : `p.id IN (${tagged})`)
  }
  if (agent) {
    conditions.push(`p.agent_id = (SELECT id FROM agents WHERE handle = ${parameter(agent)})`)
  }
  if (sinceMs !== undefined) {
    const value = parameter(sinceMs)
    const created = isTimeOrder(sort)
      ? `${oneTag ? 't' : 'p'}.created_at > ${TIME(value)}`
      : `s.created_at_ms > ${NUMBER(value)}`
    conditions.push(created)
  }
  return conditions
}

/** Equal names mean equal texts: everything that shapes the text is in the name. */
function statementName(
  sort: FeedSort,
  fields: Fields,
  filters: FeedFilters,
  position: FeedPosition | undefined,
): string {
  const communities = filters.community ? Math.min(filters.community.length, 2) : 0
  const tags = filters.tag ? Math.min(filters.tag.length, 2) : 0
  const rare = filters.tagIsRare ? 'r' : ''
  const flags = [filters.kind, filters.agent, filters.sinceMs, position].map((part) =>
    part === undefined ? 0 : 1,
  )
  return `feed-${sort}-${fields === 'full' ? 'full' : 'compact'}-${communities}${tags}${rare}${flags.join('')}`
}
