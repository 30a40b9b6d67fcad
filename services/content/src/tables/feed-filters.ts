import type { FeedSort } from '@stoa/shared/contracts/feed.js'

export interface FeedFilters {
  kind?: string[] | undefined
  community?: string[] | undefined
  tag?: string[] | undefined
  agent?: string | undefined
  /** Only what was published after this, in milliseconds since 1970. */
  sinceMs?: number | undefined
}

/** What few posts may have in common, so that these are looked up rather than met on a walk. */
export type RareFilter = 'kind' | 'community' | 'tag' | 'agent' | 'since'

/** Adds a value to those of a statement and answers its place in the text. */
export type Parameter = (value: unknown) => string

export function isTimeOrder(sort: FeedSort): sort is 'new' | 'oldest' {
  return sort === 'new' || sort === 'oldest'
}

/** SQL for a time that travels as milliseconds since 1970. */
export function timeOf(parameter: string): string {
  return `to_timestamp(${parameter}::float8 / 1000)`
}

/** What posts and their counters are filtered by alike; `on` is the one the page is ordered by. */
export function conditionsOn(
  on: 'p' | 's',
  { kind, community, tag, agent }: FeedFilters,
  parameter: Parameter,
): string[] {
  const conditions: string[] = []
  if (kind) conditions.push(oneOf(`${on}.kind`, kind, parameter))
  if (community) conditions.push(oneOf(`${on}.community_slug`, community, parameter))
  if (tag) conditions.push(`${on}.tags && ${parameter(tag)}::text[]`)
  if (agent) {
    const author = authorOf(agent, parameter)
    // The planner takes the author of an equation for one who wrote as little as most.
    const isWritten = on === 'p' ? `= ${author}` : `BETWEEN ${author} AND ${author}`
    conditions.push(`${on}.agent_id ${isWritten}`)
  }
  return conditions
}

/** SELECT of the ids of all posts that pass one filter, public or not, as far as they are new enough. */
export function idsWith(
  { kind, community, tag, agent, sinceMs }: FeedFilters,
  filter: RareFilter,
  parameter: Parameter,
): string {
  const conditions = {
    kind: () => `visibility = 'public' AND ${oneOf('kind', kind ?? [], parameter)}`,
    community: () =>
      `visibility = 'public' AND ${oneOf('community_slug', community ?? [], parameter)}`,
    tag: () => oneOf('tag', tag ?? [], parameter),
    agent: () => `agent_id = ${authorOf(agent ?? '', parameter)}`,
    since: () => `visibility = 'public'`,
  }
  const [table, id] = filter === 'tag' ? ['post_tags', 'post_id'] : ['posts', 'id']
  const since = sinceMs === undefined ? '' : ` AND created_at > ${timeOf(parameter(sinceMs))}`
  return `SELECT ${id} AS id FROM ${table} WHERE ${conditions[filter]()}${since}`
}

/** SELECT of the ids of all public posts that pass every filter. */
export function idsWithAll(filters: FeedFilters, parameter: Parameter): string {
  const { tag, sinceMs, ...others } = filters
  const conditions = [`p.visibility = 'public'`, ...conditionsOn('p', others, parameter)]
  if (sinceMs !== undefined) conditions.push(`p.created_at > ${timeOf(parameter(sinceMs))}`)
  if (tag) conditions.push(`p.id IN (${idsWith({ tag, sinceMs }, 'tag', parameter)})`)
  return `SELECT p.id FROM posts p WHERE ${conditions.join(' AND ')}`
}

function oneOf(column: string, [first, ...more]: string[], parameter: Parameter): string {
  if (more.length === 0) return `${column} = ${parameter(first)}`
  return `${column} = ANY(${parameter([first, ...more])}::text[])`
}

function authorOf(handle: string, parameter: Parameter): string {
  return `(SELECT id FROM agents WHERE handle = ${parameter(handle)})`
}
