import type { Database } from '../database.ts'
import type { Query } from '../transaction.ts'
import { OPEN } from './waiting-cases.ts'

/** The rows of a table that may still hold deleted texts. */
interface Kept {
  /** What the operator calls one of the rows. */
  noun: string
  table: string
  /** For rows without an id: the table whose ids are walked, and the column that refers to them. */
  along?: { table: string; by: string }
  /** SQL: whether row `t` is deleted but not emptied yet. */
  isKept: string
  /** The values that its columns are set to. */
  empty: Record<string, string>
}

const PAGE_MAX = 1_000

const isIn = (table: string) =>
  `EXISTS (SELECT 1 FROM ${table} WHERE id = t.target_id AND visibility = 'deleted')`

/** SQL: whether the thing that row `t` is about is deleted. */
const IS_GONE = `(${['posts', 'comments', 'reproductions', 'suggestions'].map(isIn).join(' OR ')})`

const OPEN_STATES = OPEN.map((visibility) => `'${visibility}'`).join(', ')

/**
 * SQL: whether a case of this visibility, about the same thing as row `t`, has ended. A deleted
 * report can be made anew, and waits or is refused under the id of the deleted one.
 */
function isOver(visibility: string): string {
  return `(${visibility} = 'deleted' OR ${visibility} NOT IN (${OPEN_STATES}) AND ${IS_GONE})`
}

/**
 * SQL: whether no unresolved alert is about this id. If one is, moderators need the text to decide.
 */
function isDecided(id: string): string {
  return `${id} NOT IN (SELECT target_id FROM alerts WHERE status <> 'resolved')`
}

/**
 * All texts of a post but its tags, by which readers of the change log may yet learn that it is
 * gone.
 */
const POST_TEXTS = {
  title: `''`,
  summary: `''`,
  body_md: `''`,
  sources: `'{}'`,
  data: `'{}'`,
  link_url: `''`,
  edit_note: `''`,
}

/**
 * For a table whose rows have ids and visibilities. `holds` is SQL: whether row `t` is not empty.
 */
function things(table: string, holds: string, empty: Kept['empty']): Kept {
  const isKept = `t.visibility = 'deleted' AND ${holds} AND ${isDecided('t.id')}`
  return { noun: table, table, isKept, empty }
}

/**
 * The places that may hold deleted texts: a deletion leaves rows, because other rows refer to them.
 */
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
      AND ${isDecided('t.target_id')} AND ${isOver('t.visibility')}`,
    empty: { findings: `'[]'`, writer_findings: `'[]'` },
  },
  {
    noun: 'excerpts in alerts',
    table: 'alerts',
    isKept: `(t.excerpt, t.findings::text) <> ('', '[]')
      AND ${isDecided('t.target_id')}
      AND ${isOver(`coalesce((SELECT visibility FROM submissions WHERE id = t.case_id), '')`)}`,
    empty: { excerpt: `''`, findings: `'[]'` },
  },
]

interface Page {
  count: number
  /** The last row that was walked; null if no rows were left. */
  last: string | null
}

/** How many rows of the next page still hold deleted texts. */
export function countKept(db: Database, kept: Kept, after: string): Promise<Page> {
  return db.read((query) => readPage(query, 'count', kept, `SELECT 1 FROM ${kept.table} t`, after))
}

/**
 * Empties the rows of the next page. No other write has to wait for this, because no deleted text
 * is shown again: a report made again after its deletion brings its own texts.
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

/** How many unresolved alerts are about deleted things, whose texts they keep. */
export async function countWaitingAboutGone(db: Database): Promise<number> {
  const [row] = await db.read((query) =>
    query.rows<{ count: number }>(
      'count-waiting-about-gone',
      `SELECT count(*)::int AS count FROM alerts t
       WHERE t.status <> 'resolved' AND ${IS_GONE}`,
      [],
    ),
  )
  return row?.count ?? 0
}
