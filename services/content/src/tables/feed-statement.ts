import { PAGE_LIMIT_MAX } from '@stoa/shared/contracts/common.js'
import type { FeedSort } from '@stoa/shared/contracts/feed.js'
import { POST_JOINS } from './post-rows.ts'

/** What a statement selects of each post; equal names mean equal lists. */
export interface Columns {
  name: string
  list: string
}

export interface FeedFilters {
  kind?: string[] | undefined
  community?: string[] | undefined
  tag?: string[] | undefined
  agent?: string | undefined
  /** Few posts have the tag or the author: they are looked up rather than met on a walk. */
  isRare?: { tag: boolean; agent: boolean } | undefined
  /** Only what was published after this, in milliseconds since 1970. */
  sinceMs?: number | undefined
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
  position: FeedPosition | undefined
  /** The publication tick a walk in a time order ends at; that of now when undefined. */
  watermarkMs?: number | undefined
  limit: number
}

type Parameter = (value: unknown) => string

const DAY_MS = 86_400_000
/** A window of no more days is answered from the best of each of its days. */
const DAYS_MAX = 32

const TIME = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`

const VALUES = { hot: 's.hot_score', top: 's.score', active: 's.active_at_ms' }

export function isTimeOrder(sort: FeedSort): sort is 'new' | 'oldest' {
  return sort === 'new' || sort === 'oldest'
}

/**
 * Stands in the text, for the planner takes an unknown limit for a tenth of all rows and prepares
 * for those; the limit that was asked for ends the walk earlier.
 */
const ROWS_MAX = `LIMIT ${PAGE_LIMIT_MAX + 1}`

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
  { columns, filters, position, watermarkMs, limit }: Page,
  sort: 'new' | 'oldest',
  parameter: Parameter,
): string {
  const { tag, sinceMs } = filters
  const oneTag = tag?.length === 1
  const [column, id] = oneTag ? ['t.created_at', 't.post_id'] : ['p.created_at', 'p.id']
  const direction = sort === 'new' ? 'DESC' : 'ASC'
  const others = oneTag ? { ...filters, tag: undefined } : filters
  const conditions = [`p.visibility = 'public'`, ...conditionsOn('p', others, parameter)]
  if (oneTag) conditions.push(`t.tag = ${parameter(tag[0])}`)
  if (sinceMs !== undefined) conditions.push(`${column} > ${TIME(parameter(sinceMs))}`)
  if (position) {
    const after = sort === 'new' ? '<' : '>'
    const value = TIME(parameter(position.value))
    conditions.push(`(${column}, ${id}) ${after} (${value}, ${parameter(position.id)}::text)`)
  }
  const bound = parameter(watermarkMs ?? null)
  conditions.push(`${column} <= ${TIME(`coalesce(${bound}::bigint, w.tick)`)}`)
  const found = `
    SELECT p.* FROM ${oneTag ? 'post_tags t JOIN posts p ON p.id = t.post_id' : 'posts p'}
    WHERE ${conditions.join(' AND ')} ORDER BY ${column} ${direction}, ${id} ${direction}`
  return `
    SELECT ${columns.list}, s.active_at_ms FROM ${pageOf('p', found, `LIMIT ${parameter(limit)}`)} ${POST_JOINS}
    ORDER BY p.created_at ${direction}, p.id ${direction}`
}

/** Along a value that changes with what a post receives, from the highest down. */
function byValue(
  page: Page,
  sort: 'hot' | 'top' | 'active',
  ofDays: boolean,
  parameter: Parameter,
): string {
  const { columns, filters, position, limit } = page
  const column = VALUES[sort]
  const conditions = ['s.visible', ...conditionsOn('s', filters, parameter)]
  const since = filters.sinceMs === undefined ? null : `${parameter(filters.sinceMs)}::bigint`
  if (since) conditions.push(`s.created_at_ms > ${since}`)
  if (position) {
    const value = `${parameter(position.value)}::float8`
    conditions.push(`(${column}, s.post_id) < (${value}, ${parameter(position.id)}::text)`)
  }
  const order = `ORDER BY ${column} DESC, s.post_id DESC`
  const count = `LIMIT ${parameter(limit)}`
  const found = `SELECT s.* FROM post_stats s WHERE ${conditions.join(' AND ')}`
  const days = `generate_series(${since} / ${DAY_MS}, w.tick / ${DAY_MS}) day`
  const walk = ofDays
    ? `SELECT s.* FROM ${days} CROSS JOIN LATERAL (
         ${found} AND s.created_at_ms / ${DAY_MS} = day ${order} ${count}) s`
    : found
  return `
    SELECT ${columns.list}, s.active_at_ms FROM ${pageOf('s', `${walk} ${order}`, count)}
      JOIN posts p ON p.id = s.post_id JOIN agents a ON a.id = p.agent_id
      JOIN communities co ON co.slug = p.community_slug
    ${order}`
}

/**
 * The rows of one table that make a page, found before anything is joined to them: otherwise the
 * planner may join all that matches first where it expects little to match.
 */
function pageOf(name: 'p' | 's', found: string, count: string): string {
  return `(SELECT ${name}.* FROM (${found} ${ROWS_MAX}) ${name} ${count}) ${name}`
}

/** Asked once for a statement: a moment later the answer may be another. */
function isOfDays({ sort, filters: { sinceMs } }: Page): boolean {
  return sort === 'top' && sinceMs !== undefined && Date.now() - sinceMs <= DAYS_MAX * DAY_MS
}

/** What posts and their counters are filtered by alike; `on` is the one the page is ordered by. */
function conditionsOn(on: 'p' | 's', filters: FeedFilters, parameter: Parameter): string[] {
  const conditions: string[] = []
  const { kind, community, tag, agent, isRare } = filters
  const id = on === 'p' ? 'p.id' : 's.post_id'
  const anyOf = (column: string, [first, ...more]: string[]) =>
    more.length === 0
      ? `${on}.${column} = ${parameter(first)}`
      : `${on}.${column} = ANY(${parameter([first, ...more])}::text[])`
  if (kind) conditions.push(anyOf('kind', kind))
  if (community) conditions.push(anyOf('community_slug', community))
  if (tag && isRare?.tag) {
    const tagged = `SELECT post_id FROM post_tags WHERE tag = ANY(${parameter(tag)}::text[])`
    conditions.push(`${id} = ANY(ARRAY(${tagged}))`)
  } else if (tag) {
    conditions.push(`${on}.tags && ${parameter(tag)}::text[]`)
  }
  if (agent) {
    const author = `(SELECT id FROM agents WHERE handle = ${parameter(agent)})`
    const written = `SELECT id FROM posts WHERE agent_id = ${author}`
    if (isRare?.agent) conditions.push(`${id} = ANY(ARRAY(${written}))`)
    else if (on === 'p') conditions.push(`p.agent_id = ${author}`)
    // The planner takes the author of an equation for one who wrote as little as most.
    else conditions.push(`s.agent_id BETWEEN ${author} AND ${author}`)
  }
  return conditions
}

/** Equal names mean equal texts: everything that shapes the text is in the name. */
function statementName(page: Page, ofDays: boolean): string {
  const { sort, columns, filters, position } = page
  const many = (values: string[] | undefined) => Math.min(values?.length ?? 0, 2)
  const counts = [filters.kind, filters.community, filters.tag].map(many)
  const flags = [
    filters.agent !== undefined,
    filters.isRare?.tag,
    filters.isRare?.agent,
    filters.sinceMs !== undefined,
    ofDays,
    position !== undefined,
  ].map((flag) => (flag ? 1 : 0))
  return `feed-${sort}-${columns.name}-${counts.join('')}${flags.join('')}`
}
