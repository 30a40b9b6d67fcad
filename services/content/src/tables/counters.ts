import type { Database } from '../database.ts'
import type { Query, Transaction } from '../transaction.ts'

/**
 * Counters that are stored beside what they count, because counting at each read would take too
 * long.
 */
export interface Counters {
  /** What the operator calls one of the rows. */
  noun: string
  table: string
  key: string
  /** For each column, the SQL that recounts it for the row `s`. */
  columns: Record<string, string>
  /**
   * A column that is set to 0, rather than added to, when the answer of `with` changes. This also
   * removes whatever it lacked before.
   */
  setAnew?: { column: string; with: string }
  /** Another assignment of each update of a row. */
  also?: string
  /** How many rows one statement counts. */
  together: number
}

export interface Drift {
  id: string
  kept: Record<string, number>
  counted: Record<string, number>
  /** The answer of `setAnew.with` when the row was counted; null without a `setAnew`. */
  since: number | null
}

const PAGE_MAX = 200

const VERSION = '(SELECT version FROM posts WHERE id = s.post_id)'

const votesFor = (id: string) =>
  `(SELECT coalesce(sum(value), 0)::int FROM votes WHERE target_id = ${id})`

const reproductions = (which: string) =>
  `(SELECT count(*)::int FROM reproductions
    WHERE post_id = s.post_id AND visibility = 'public' AND ${which})`

const ofAgent = (table: string, which: string) =>
  `(SELECT count(*)::int FROM ${table} WHERE agent_id = s.agent_id AND ${which})`

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
        AND post_version = ${VERSION}`),
    },
    setAnew: { column: 'independent_count', with: VERSION },
    // Ranking ignores figures unless their revision is newer.
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
    // The agents that wrote most registered early, so their rows are adjacent, and each takes
    // seconds.
    together: 1,
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
  /** The last row that was counted; null if no rows were left. */
  last: string | null
}

/** The rows of the next page whose counters differ from what they count. */
export function findDrift(db: Database, counters: Counters, after: string): Promise<Page> {
  const { table, key, together } = counters
  const page = `SELECT * FROM ${table} WHERE ${key} > $1 ORDER BY ${key} LIMIT ${together}`
  return db.read(async (query) => {
    const rows = await readCounted(query, counters, 'page', page, after)
    return { drift: rows.filter(isWrong), last: rows.at(-1)?.id ?? null }
  })
}

export function wrongColumns({ kept, counted }: Drift): string[] {
  return Object.keys(kept).filter((column) => kept[column] !== counted[column])
}

function isWrong(row: Drift): boolean {
  return wrongColumns(row).length > 0
}

/** One statement reads the counters and the rows they count at the same moment. */
function readCounted(
  query: Query,
  { noun, key, columns, setAnew }: Counters,
  what: string,
  rows: string,
  value: unknown,
): Promise<Drift[]> {
  const kept = Object.keys(columns).map((name) => `'${name}', s.${name}`)
  const counted = Object.entries(columns).map(([name, sql]) => `'${name}', ${sql}`)
  return query.rows<Drift>(
    `count-${noun}-${what}`,
    `SELECT s.${key} AS id, json_build_object(${kept.join(', ')}) AS kept,
       json_build_object(${counted.join(', ')}) AS counted, ${setAnew?.with ?? 'NULL'} AS since
     FROM (${rows}) s ORDER BY s.${key}`,
    [value],
  )
}

/**
 * Adds to each counter what it lacks. A transaction that changes the counted rows changes their
 * counter by as much, so what a counter lacks stays the same during other writes, and none of them
 * has to wait for the recount. A counter that was set to 0 since is right. Corrections take turns,
 * so that no difference is added twice.
 */
export async function correctCounters(
  tx: Transaction,
  counters: Counters,
  ids: string[],
): Promise<void> {
  const { noun, table, key, columns, setAnew, also } = counters
  await tx.rows('one-corrects', `SELECT pg_advisory_xact_lock(hashtextextended('recount', 0))`)
  const rows = `SELECT * FROM ${table} WHERE ${key} = ANY($1)`
  const wrong = (await readCounted(tx, counters, 'some', rows, ids)).filter(isWrong)
  const names = Object.keys(columns)
  const lacks = wrong.map(({ id, kept, counted, since }) => ({
    id,
    since,
    ...Object.fromEntries(names.map((name) => [name, (counted[name] ?? 0) - (kept[name] ?? 0)])),
  }))
  tx.send(
    `lock-counted-${noun}`,
    `SELECT 1 FROM ${table} WHERE ${key} = ANY($1) ORDER BY ${key} FOR UPDATE`,
    [wrong.map(({ id }) => id)],
  )
  const lack = (name: string) =>
    name === setAnew?.column
      ? `CASE WHEN ${setAnew.with} = d.since THEN d.${name} ELSE 0 END`
      : `d.${name}`
  const set = names.map((name) => `${name} = s.${name} + ${lack(name)}`)
  tx.send(
    `correct-${noun}`,
    `UPDATE ${table} s SET ${[...set, ...(also ? [also] : [])].join(', ')}
     FROM json_to_recordset($1::json) AS d
       (id text, since int, ${names.map((name) => `${name} int`).join(', ')})
     WHERE s.${key} = d.id`,
    [JSON.stringify(lacks)],
  )
}

const isUntold = (table: string) => `EXISTS (SELECT 1 FROM ${table} WHERE post_id = p.id
  AND visibility = 'public' AND counted <> (p.visibility = 'public'))`

/**
 * The posts of the next page with comments or reproductions that are counted for their authors
 * although the post is hidden, or not counted although it is public, and that no worker will
 * correct.
 */
export async function findUntold(
  db: Database,
  after: string,
): Promise<{ ids: string[]; last: string | null }> {
  const rows = await db.read((query) =>
    query.rows<{ id: string; untold: boolean }>(
      'find-untold',
      `SELECT p.id, p.thread_told_to IS NULL
         AND (${isUntold('comments')} OR ${isUntold('reproductions')}) AS untold
       FROM (SELECT * FROM posts WHERE id > $1 ORDER BY id LIMIT ${PAGE_MAX}) p ORDER BY p.id`,
      [after],
    ),
  )
  const ids = rows.filter(({ untold }) => untold).map(({ id }) => id)
  return { ids, last: rows.at(-1)?.id ?? null }
}

/**
 * Makes the worker for large threads count these posts' parts for their authors (decision 0050).
 */
export function tellAgain(tx: Transaction, ids: string[]): void {
  tx.send(
    'tell-of-thread-again',
    `UPDATE posts SET thread_told_to = '' WHERE id = ANY($1) AND thread_told_to IS NULL`,
    [ids],
  )
}
