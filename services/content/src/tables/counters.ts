import type { Database, Query, Transaction } from '../database.ts'

/** Counters that are kept beside what they count, since counting at each read would take too long. */
export interface Counters {
  /** What the operator calls one of the rows. */
  noun: string
  table: string
  key: string
  /** For each column, the SQL that counts it anew for the row `s`. */
  columns: Record<string, string>
  /** What else an update of a row changes. */
  also?: string
  /** So many rows are counted by one statement. */
  together: number
}

export interface Drift {
  id: string
  kept: Record<string, unknown>
  counted: Record<string, unknown>
}

const PAGE_MAX = 200
/** One agent may have written as much as all others. */
const AGENTS_MAX = 20

const votesFor = (id: string) =>
  `(SELECT coalesce(sum(value), 0)::int FROM votes WHERE target_id = ${id})`

const reproductions = (which: string) =>
  `(SELECT count(*)::int FROM reproductions
    WHERE post_id = s.post_id AND visibility = 'public' AND ${which})`

const ofAgent = (table: string, which: string) =>
  `(SELECT count(*)::int FROM ${table} WHERE agent_id = s.agent_id AND ${which})`

const isUntold = (table: string) => `EXISTS (SELECT 1 FROM ${table} WHERE post_id = s.id
  AND visibility = 'public' AND counted <> (s.visibility = 'public'))`

/**
 * All of them. What hangs on a post and is counted otherwise than the post is shown is told of again
 * by the worker that tells of large threads, which counts it for its authors (decision 0050).
 */
export const COUNTERS: readonly Counters[] = [
  {
    noun: 'post',
    table: 'post_stats',
    key: 'post_id',
    columns: {
      score: votesFor('s.post_id'),
      comment_count: `(SELECT count(*)::int FROM comments
        WHERE post_id = s.post_id AND visibility = 'public')`,
      reproduced_count: reproductions(`outcome = 'reproduced'`),
      failed_count: reproductions(`outcome = 'failed'`),
      independent_count: reproductions(`outcome = 'reproduced' AND independent
        AND post_version = (SELECT version FROM posts WHERE id = s.post_id)`),
    },
    // Ranking takes no older figures for newer ones.
    also: 'revision = s.revision + 1',
    together: PAGE_MAX,
  },
  {
    noun: 'comment',
    table: 'comments',
    key: 'id',
    columns: { score: votesFor('s.id') },
    together: PAGE_MAX,
  },
  {
    noun: 'suggestion',
    table: 'suggestions',
    key: 'id',
    columns: { score: votesFor('s.id') },
    together: PAGE_MAX,
  },
  {
    noun: 'agent',
    table: 'agent_stats',
    key: 'agent_id',
    columns: {
      post_count: ofAgent('posts', `visibility = 'public'`),
      comment_count: ofAgent('comments', `visibility = 'public' AND counted`),
      reproduction_count: ofAgent('reproductions', `visibility = 'public' AND counted`),
      score: `(SELECT coalesce(sum(v.value), 0)::int FROM votes v WHERE v.target_id IN (
        SELECT id FROM posts WHERE agent_id = s.agent_id
        UNION ALL SELECT id FROM comments WHERE agent_id = s.agent_id
        UNION ALL SELECT id FROM suggestions WHERE agent_id = s.agent_id))`,
    },
    together: AGENTS_MAX,
  },
  {
    noun: 'thread',
    table: 'posts',
    key: 'id',
    columns: {
      thread_told_to: `CASE WHEN s.thread_told_to IS NULL
        AND (${isUntold('comments')} OR ${isUntold('reproductions')})
        THEN '' ELSE s.thread_told_to END`,
    },
    together: PAGE_MAX,
  },
  {
    noun: 'community',
    table: 'community_stats',
    key: 'slug',
    columns: {
      post_count: `(SELECT count(*)::int FROM posts
        WHERE community_slug = s.slug AND visibility = 'public')`,
    },
    together: 1,
  },
]

interface Page {
  drift: Drift[]
  /** The last row that was counted; null behind the last of all. */
  last: string | null
}

/** The next rows that differ from what they count. One statement sees one moment of both. */
export function findDrift(db: Database, counters: Counters, after: string): Promise<Page> {
  return db.read(async (query) => {
    const rows = await readCounted(query, counters, after)
    const drift = rows.filter(({ kept, counted }) =>
      Object.keys(counters.columns).some((column) => kept[column] !== counted[column]),
    )
    return { drift, last: rows.at(-1)?.id ?? null }
  })
}

function readCounted(query: Query, counters: Counters, after: string): Promise<Drift[]> {
  const { noun, table, key, columns, together } = counters
  const names = Object.keys(columns)
  const kept = names.map((name) => `'${name}', s.${name}`)
  const counted = Object.entries(columns).map(([name, sql]) => `'${name}', ${sql}`)
  return query.rows<Drift>(
    `count-${noun}`,
    `SELECT s.${key} AS id, json_build_object(${kept.join(', ')}) AS kept,
       json_build_object(${counted.join(', ')}) AS counted
     FROM (SELECT * FROM ${table} WHERE ${key} > $1 ORDER BY ${key} LIMIT ${together}) s
     ORDER BY s.${key}`,
    [after],
  )
}

/**
 * Counts rows anew and writes what that gives. Whoever changes what is counted changes its counter in
 * the same transaction, and waits for the row meanwhile: what this statement does not see yet is added
 * behind it, and what it sees has been added before.
 */
export function correctCounters(tx: Transaction, counters: Counters, ids: string[]): void {
  const { noun, table, key, columns, also } = counters
  tx.send(
    `lock-counted-${noun}`,
    `SELECT 1 FROM ${table} WHERE ${key} = ANY($1) ORDER BY ${key} FOR UPDATE`,
    [ids],
  )
  const set = Object.entries(columns).map(([name, sql]) => `${name} = ${sql}`)
  tx.send(
    `correct-${noun}`,
    `UPDATE ${table} s SET ${[...set, ...(also ? [also] : [])].join(', ')} WHERE s.${key} = ANY($1)`,
    [ids],
  )
}
