import type { FeedSort, Resolved } from '@stoa/shared/contracts/feed.js'
import type { PostKind } from '@stoa/shared/contracts/posts.js'

export interface FeedFilters {
  kind?: PostKind[] | undefined
  community?: string[] | undefined
  tag?: string[] | undefined
  agent?: string | undefined
  resolved?: Resolved | undefined
  /** Only what was published after this, in milliseconds since 1970. */
  sinceMs?: number | undefined
}

/** What few posts may have in common, so that these are looked up rather than met on a walk. */
export type RareFilter = 'kind' | 'community' | 'tag' | 'agent' | 'resolved' | 'since'

/** Adds a value to those of a statement and answers its place in the text. */
export type Parameter = (value: unknown) => string

export function isTimeOrder(sort: FeedSort): sort is 'new' | 'oldest' {
  return sort === 'new' || sort === 'oldest'
}

/** Filters of equal shapes make equal texts. */
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
 * What posts, their counters and their tags are filtered by alike; `on` is the one the page is
 * ordered by. Tags carry no authors, no other tags and no answers.
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
    // The planner takes the author of an equation for one who wrote as little as most.
    const isWritten = on === 's' ? `BETWEEN ${author} AND ${author}` : `= ${author}`
    conditions.push(`${on}.agent_id ${isWritten}`)
  }
  if (resolved) conditions.push(...resolvedOn(on, resolved))
  return conditions
}

/**
 * An answer that went away leaves its post open, so the comment is looked at: as a value, for a join
 * might read all comments first.
 */
function resolvedOn(on: 'p' | 's' | 't', resolved: Resolved): string[] {
  const answer =
    on === 'p'
      ? 'SELECT c.visibility FROM comments c WHERE c.id = p.accepted_comment_id'
      : `SELECT c.visibility FROM posts q JOIN comments c ON c.id = q.accepted_comment_id
         WHERE q.id = ${on}.post_id`
  if (resolved === 'false') return [`(${answer}) IS DISTINCT FROM 'public'`]
  // Of those that ever had one there is an index.
  const had = on === 'p' ? ['p.accepted_comment_id IS NOT NULL'] : []
  return [...had, `(${answer}) = 'public'`]
}

/**
 * SELECT of the ids of all posts that pass one filter, and of the others those that its index
 * carries. Some may not be public.
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
