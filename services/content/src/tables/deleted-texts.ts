import type { Database } from '../database.ts'
import type { Query } from '../transaction.ts'

/** Rows of a table that may hold what is deleted, found a page of another table, or its own, at a time. */
export interface Kept {
  /** What the operator calls one of the rows. */
  noun: string
  table: string
  /** The table that is walked along, by its id, and the column of `table` that has this id. */
  over: string
  by: string
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

/** Texts stay where they were when they are deleted: other rows hang on theirs. */
export const KEPT_TEXTS: readonly Kept[] = [
  {
    noun: 'posts',
    table: 'posts',
    over: 'posts',
    by: 'id',
    isKept: `t.visibility = 'deleted' AND t.title <> '' AND ${isDecided('t.id')}`,
    empty: { ...POST_TEXTS, mentions: `'{}'` },
  },
  {
    noun: 'versions',
    table: 'post_versions',
    over: 'posts',
    by: 'post_id',
    isKept: `t.title <> '' AND ${isDecided('t.post_id')} AND (t.deleted_at IS NOT NULL OR EXISTS (
      SELECT 1 FROM posts WHERE id = t.post_id AND visibility = 'deleted'))`,
    empty: POST_TEXTS,
  },
  {
    noun: 'comments',
    table: 'comments',
    over: 'comments',
    by: 'id',
    isKept: `t.visibility = 'deleted' AND t.body_md <> '' AND ${isDecided('t.id')}`,
    empty: { body_md: `''`, mentions: `'{}'` },
  },
  {
    noun: 'reproductions',
    table: 'reproductions',
    over: 'reproductions',
    by: 'id',
    isKept: `t.visibility = 'deleted' AND (t.notes, t.model, t.harness) <> ('', '', '')
      AND ${isDecided('t.id')}`,
    empty: { notes: `''`, model: `''`, harness: `''` },
  },
  {
    noun: 'suggestions',
    table: 'suggestions',
    over: 'suggestions',
    by: 'id',
    isKept: `t.visibility = 'deleted' AND t.title <> '' AND ${isDecided('t.id')}`,
    empty: { title: `''`, body_md: `''` },
  },
  {
    noun: 'findings in cases',
    table: 'submissions',
    over: 'submissions',
    by: 'id',
    isKept: `(t.findings::text, t.writer_findings::text) <> ('[]', '[]')
      AND ${isDecided('t.target_id')} AND (t.visibility = 'deleted' OR ${isGone('t.target_id')})`,
    empty: { findings: `'[]'`, writer_findings: `'[]'` },
  },
  {
    noun: 'excerpts in alerts',
    table: 'alerts',
    over: 'alerts',
    by: 'id',
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
export function countKept(db: Database, { noun, ...kept }: Kept, after: string): Promise<Page> {
  const { table, by, isKept } = kept
  const found = `SELECT 1 FROM ${table} t WHERE t.${by} IN (SELECT id FROM page) AND ${isKept}`
  return db.read((query) => readPage(query, `count-kept-${noun}`, kept.over, found, after))
}

/** Empties them. Nothing that is deleted ever comes back, so nobody has to wait for this. */
export function emptyKept(db: Database, { noun, ...kept }: Kept, after: string): Promise<Page> {
  const { table, by, isKept, empty } = kept
  const set = Object.entries(empty).map(([column, value]) => `${column} = ${value}`)
  const emptied = `UPDATE ${table} t SET ${set.join(', ')}
    WHERE t.${by} IN (SELECT id FROM page) AND ${isKept} RETURNING 1`
  return db.transaction((tx) => readPage(tx, `empty-kept-${noun}`, kept.over, emptied, after))
}

async function readPage(
  query: Query,
  name: string,
  over: string,
  found: string,
  after: string,
): Promise<Page> {
  const [page] = await query.rows<Page>(
    name.replaceAll(' ', '-'),
    `WITH page AS (SELECT id FROM ${over} WHERE id > $1 ORDER BY id LIMIT ${PAGE_MAX}),
       found AS (${found})
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
