import type { Database } from '../database.ts'
import type { Query } from '../transaction.ts'

/** Rows of a table that may hold what is deleted. */
interface Kept {
  /** What the operator calls one of the rows. */
  noun: string
  table: string
  /** Where its rows have no id: the table whose ids are walked along, and the column that has them. */
  along?: { table: string; by: string }
  /** SQL of row `t`: it is deleted, and not emptied yet. */
  isKept: string
  /** What its columns are set to. */
  empty: Record<string, string>
}

const PAGE_MAX = 1_000

/** SQL: whether what this id names is deleted. */
function isGone(id: string): string {
  const tables = ['posts', 'comments', 'reproductions', 'suggestions']
  const gone = tables.map(
    (table) => `EXISTS (SELECT 1 FROM ${table} WHERE id = ${id} AND visibility = 'deleted')`,
  )
  return `(${gone.join(' OR ')})`
}

/** SQL: what an alert that waits is about stays, or nobody could decide about it. */
function isDecided(id: string): string {
  return `${id} NOT IN (SELECT target_id FROM alerts WHERE status <> 'resolved')`
}

/** But for the tags, by which readers of the log may still have to hear that a post is gone. */
const POST_TEXTS = {
  title: `''`,
  summary: `''`,
  body_md: `''`,
  sources: `'{}'`,
  data: `'{}'`,
  link_url: `''`,
  edit_note: `''`,
}

/** Of what has an id and a visibility of its own; `holds` is SQL of row `t` that is not empty. */
function things(table: string, holds: string, empty: Kept['empty']): Kept {
  const isKept = `t.visibility = 'deleted' AND ${holds} AND ${isDecided('t.id')}`
  return { noun: table, table, isKept, empty }
}

/** Texts stay where they were when they are deleted: other rows hang on theirs. */
export const KEPT_TEXTS: readonly Kept[] = [
  things('posts', `t.title <> ''`, { ...POST_TEXTS, mentions: `'{}'` }),
  {
    noun: 'versions',
    table: 'post_versions',
    along: { table: 'posts', by: 'post_id' },
    isKept: `t.title <> '' AND ${isDecided('t.post_id')} AND (t.deleted_at IS NOT NULL OR EXISTS (
      SELECT 1 FROM posts WHERE id = t.post_id AND visibility = 'deleted'))`,
    empty: POST_TEXTS,
  },
  things('comments', `t.body_md <> ''`, { body_md: `''`, mentions: `'{}'` }),
  things('reproductions', `(t.notes, t.model, t.harness) <> ('', '', '')`, {
    notes: `''`,
    model: `''`,
    harness: `''`,
  }),
  things('suggestions', `t.title <> ''`, { title: `''`, body_md: `''` }),
  {
    noun: 'findings in cases',
    table: 'submissions',
    isKept: `(t.findings::text, t.writer_findings::text) <> ('[]', '[]')
      AND ${isDecided('t.target_id')} AND (t.visibility = 'deleted' OR ${isGone('t.target_id')})`,
    empty: { findings: `'[]'`, writer_findings: `'[]'` },
  },
  {
    noun: 'excerpts in alerts',
    table: 'alerts',
    isKept: `(t.excerpt, t.findings::text) <> ('', '[]')
      AND ${isDecided('t.target_id')} AND (${isGone('t.target_id')} OR EXISTS (
        SELECT 1 FROM submissions WHERE id = t.case_id AND visibility = 'deleted'))`,
    empty: { excerpt: `''`, findings: `'[]'` },
  },
]

interface Page {
  count: number
  /** The last row that was walked past; null behind the last of all. */
  last: string | null
}

/** How many rows of the next page hold what is deleted. */
export function countKept(db: Database, kept: Kept, after: string): Promise<Page> {
  return db.read((query) => readPage(query, 'count', kept, `SELECT 1 FROM ${kept.table} t`, after))
}

/**
 * Empties them. Nothing that is deleted ever comes back as it was, so nobody has to wait for this: a
 * report that is made anew brings words of its own.
 */
export function emptyKept(db: Database, kept: Kept, after: string): Promise<Page> {
  const set = Object.entries(kept.empty).map(([column, value]) => `${column} = ${value}`)
  const empty = `UPDATE ${kept.table} t SET ${set.join(', ')}`
  return db.transaction((tx) => readPage(tx, 'empty', kept, empty, after))
}

async function readPage(
  query: Query,
  verb: string,
  { table, along = { table, by: 'id' }, isKept }: Kept,
  act: string,
  after: string,
): Promise<Page> {
  const [page] = await query.rows<Page>(
    `${verb}-deleted-${table}`,
    `WITH page AS (SELECT id FROM ${along.table} WHERE id > $1 ORDER BY id LIMIT ${PAGE_MAX}),
       found AS (${act} WHERE t.${along.by} IN (SELECT id FROM page) AND ${isKept}
         ${verb === 'empty' ? 'RETURNING 1' : ''})
     SELECT (SELECT max(id) FROM page) AS last, (SELECT count(*)::int FROM found) AS count`,
    [after],
  )
  return page as Page
}

/** How many alerts wait about what is deleted, which keep its text. */
export async function countWaitingAboutGone(db: Database): Promise<number> {
  const [row] = await db.read((query) =>
    query.rows<{ count: number }>(
      'count-waiting-about-gone',
      `SELECT count(*)::int AS count FROM alerts t
       WHERE t.status <> 'resolved' AND ${isGone('t.target_id')}`,
      [],
    ),
  )
  return row?.count ?? 0
}
