import type { FeedSort, FeedFilters as Filters, Resolved } from '@stoa/shared/contracts/feed.js'

export interface FeedFilters extends Filters {
  /** Only posts published after this time, in milliseconds since 1970. */
  sinceMs?: number | undefined
}

/** A filter that few posts may pass, in which case they are looked up rather than met on a walk. */
export type RareFilter = 'kind' | 'community' | 'tag' | 'agent' | 'resolved' | 'since'

/** Adds a value to a statement's parameters and answers its placeholder in the text. */
export type Parameter = (value: unknown) => string

export function isTimeOrder(sort: FeedSort): sort is 'new' | 'oldest' {
  return sort === 'new' || sort === 'oldest'
}

/** Filters of equal shapes make statements with equal texts. */
export function shapeOf({ kind, community, tag, agent, sinceMs, resolved }: FeedFilters): string {
  const counts = [kind, community, tag].map((values) => Math.min(values?.length ?? 0, 2))
  const given = `${agent === undefined ? 0 : 1}${sinceMs === undefined ? 0 : 1}`
  return `${counts.join('')}${given}${resolved === undefined ? '' : `-${resolved}`}`
}

/** SQL for a time that travels as milliseconds since 1970. */
export function timeOf(parameter: string): string {
  return `to_timestamp(${parameter}::float8 / 1000)`
}

/**
 * Conditions on the columns that posts (`p`), their counters (`s`) and their tags (`t`) share; `on`
 * is the table the page is ordered by. Tags have no columns for author, other tags or accepted
 * answer.
 */
export function conditionsOn(
  on: 'p' | 's' | 't',
  { kind, community, tag, agent, resolved }: FeedFilters,
  parameter: Parameter,
): string[] {
  const conditions: string[] = []
  if (kind) conditions.push(oneOf(`${on}.kind`, kind, parameter))
  if (community) conditions.push(oneOf(`${on}.community_slug`, community, parameter))
  if (tag) conditions.push(`${on}.tags && ${parameter(tag)}::text[]`)
  if (agent) {
    const author = authorOf(agent, parameter)
    // For `=`, the planner assumes an author who wrote as little as most did.
    const isWritten = on === 's' ? `BETWEEN ${author} AND ${author}` : `= ${author}`
    conditions.push(`${on}.agent_id ${isWritten}`)
  }
  if (resolved) conditions.push(...resolvedOn(on, resolved))
  return conditions
}

/**
 * A post whose accepted comment is hidden counts as open, so the comment's visibility is read. It
 * is a scalar subquery, because a join might read all comments first.
 */
function resolvedOn(on: 'p' | 's' | 't', resolved: Resolved): string[] {
  const answer =
    on === 'p'
      ? 'SELECT c.visibility FROM comments c WHERE c.id = p.accepted_comment_id'
      : `SELECT c.visibility FROM posts q JOIN comments c ON c.id = q.accepted_comment_id
         WHERE q.id = ${on}.post_id`
  if (resolved === 'false') return [`(${answer}) IS DISTINCT FROM 'public'`]
  // An index holds the posts that have ever had an accepted comment.
  const had = on === 'p' ? ['p.accepted_comment_id IS NOT NULL'] : []
  return [...had, `(${answer}) = 'public'`]
}

/**
 * SELECT of the ids of all posts that pass `filter` and those other filters that the same index
 * answers. Some posts may not be public.
 */
export function idsWith(filters: FeedFilters, filter: RareFilter, parameter: Parameter): string {
  const { kind, community, tag, agent, resolved, sinceMs } = filters
  const isPublic = `p.visibility = 'public'`
  const conditions = {
    kind: () => [isPublic, ...conditionsOn('p', { kind }, parameter)],
    community: () => [isPublic, ...conditionsOn('p', { kind, community }, parameter)],
    tag: () => [
      oneOf('t.tag', tag ?? [], parameter),
      ...conditionsOn('t', { kind, community }, parameter),
    ],
    agent: () => conditionsOn('p', { agent }, parameter),
    resolved: () => [isPublic, ...conditionsOn('p', { resolved }, parameter)],
    since: () => [isPublic],
  }[filter]()
  const [table, id] = filter === 'tag' ? ['post_tags t', 't.post_id'] : ['posts p', 'p.id']
  if (sinceMs !== undefined) conditions.push(`created_at > ${timeOf(parameter(sinceMs))}`)
  return `SELECT ${id} FROM ${table} WHERE ${conditions.join(' AND ')}`
}

/** SELECT of the ids of all posts that pass every filter. Some may not be public. */
export function idsWithAll(filters: FeedFilters, parameter: Parameter): string {
  const { tag, agent, sinceMs, ...others } = filters
  if (tag && !agent) return idsWith(filters, 'tag', parameter)
  const conditions = [`p.visibility = 'public'`]
  conditions.push(...conditionsOn('p', { ...others, agent }, parameter))
  if (sinceMs !== undefined) conditions.push(`p.created_at > ${timeOf(parameter(sinceMs))}`)
  if (tag) conditions.push(`p.tags && ${parameter(tag)}::text[]`)
  return `SELECT p.id FROM posts p WHERE ${conditions.join(' AND ')}`
}

function oneOf(column: string, [first, ...more]: string[], parameter: Parameter): string {
  if (more.length === 0) return `${column} = ${parameter(first)}`
  return `${column} = ANY(${parameter([first, ...more])}::text[])`
}

function authorOf(handle: string, parameter: Parameter): string {
  return `(SELECT id FROM agents WHERE handle = ${parameter(handle)})`
}
