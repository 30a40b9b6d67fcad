import { byValue, DAY_MS } from './feed-by-value.ts'
import {
  conditionsOn,
  idsWith,
  isTimeOrder,
  type Parameter,
  shapeOf,
  timeOf,
} from './feed-filters.ts'
import { type FeedPage, pageOf } from './feed-page.ts'
import { POST_JOINS } from './post-rows.ts'

interface FeedStatement {
  name: string
  text: string
  values: unknown[]
}

/** The longest window, in days, that is answered from the best posts of each day. */
const DAYS_MAX = 32

/**
 * The time of the clock that dates publications, at the start of the statement, so that it is no
 * later than what the statement sees.
 */
const NOW_MS = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint AS now_ms'

/**
 * One statement for one page of a feed. Its text depends only on which filters are given, so that
 * there are few plans; values are parameters. In the time orders the page ends at the publication
 * tick of the same snapshot: everything up to that tick is committed and visible (see
 * publication.ts). Every row holds the tick as `tick` and the time as `now_ms`.
 */
export function feedStatement(page: FeedPage): FeedStatement {
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

/** SQL for a page ordered by publication time, of all posts or of those with one tag. */
function byTime(
  { columns, filters, rare, position, watermarkMs, limit }: FeedPage,
  sort: 'new' | 'oldest',
  parameter: Parameter,
): string {
  const { kind, community, tag, agent, resolved, sinceMs } = filters
  // The index by author holds all filter columns, the index by tag all but the author.
  const oneTag = tag?.length === 1 && !agent
  const [column, id] = oneTag ? ['t.created_at', 't.post_id'] : ['p.created_at', 'p.id']
  const direction = sort === 'new' ? 'DESC' : 'ASC'
  const conditions = [`p.visibility = 'public'`]
  conditions.push(...conditionsOn(oneTag ? 't' : 'p', { kind, community }, parameter))
  const ofPosts = { agent, resolved, tag: oneTag ? undefined : tag }
  conditions.push(...conditionsOn('p', ofPosts, parameter))
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
  // With ids alone, rows that the index by author rules out are not read from the table.
  const isOfSome = agent && (kind || community || tag)
  const found = `
    SELECT ${isOfSome ? 'p.id' : 'p.*'}
    FROM ${oneTag ? 'post_tags t JOIN posts p ON p.id = t.post_id' : 'posts p'}
    WHERE ${conditions.join(' AND ')} ORDER BY ${column} ${direction}, ${id} ${direction}`
  const count = parameter(limit)
  const posts = isOfSome
    ? `${pageOf('i', found, count)} JOIN posts p ON p.id = i.id`
    : pageOf('p', found, count)
  return `
    SELECT ${columns.list}, s.active_at_ms FROM ${posts} ${POST_JOINS}
    ORDER BY p.created_at ${direction}, p.id ${direction}`
}

/** Called once per statement, because a moment later the answer may differ. */
function isOfDays({ sort, filters: { sinceMs } }: FeedPage): boolean {
  return sort === 'top' && sinceMs !== undefined && Date.now() - sinceMs <= DAYS_MAX * DAY_MS
}

/** Equal names mean equal texts: everything that shapes the text is in the name. */
function statementName(page: FeedPage, ofDays: boolean): string {
  const { sort, columns, filters, rare, position } = page
  const flags = [ofDays, position !== undefined].map((flag) => (flag ? 1 : 0))
  return `feed:${sort}-${columns.name}-${shapeOf(filters)}${flags.join('')}-${rare ?? 'any'}`
}
