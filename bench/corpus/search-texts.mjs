import { DOCUMENTS } from '../../services/content/dist/tables/search-texts.js'

/** @typedef {import('pg').ClientBase} Client */

const TABLE = 'search_texts'
/** 64 MiB of a table at a time: often enough for a progress bar. */
const PAGES = 8_192

/** As content writes them: the document of each kind names the row `p` or `c`. */
const SOURCES = [
  { table: 'posts p', relation: 'posts', alias: 'p', doc: DOCUMENTS.post },
  { table: 'comments c', relation: 'comments', alias: 'c', doc: DOCUMENTS.comment },
]

/**
 * Fills the full-text index of last resort anew from all posts and comments, each kind over a
 * connection of its own. It is derived data, so what was in it before is simply made again.
 *
 * @param {[Client, ...Client[]]} lanes
 * @param {(done: number, total: number, what: string) => void} onProgress
 */
export async function fillSearchTexts(lanes, onProgress) {
  await lanes[0].query(`TRUNCATE ${TABLE}`)
  const progress = { done: 0, total: 0 }
  const filling = SOURCES.map(async ({ table, relation, alias, doc }, index) => {
    const client = /** @type {Client} */ (lanes[index % lanes.length])
    const { rows } = await client.query(
      `SELECT pg_relation_size($1::regclass) / current_setting('block_size')::bigint AS pages`,
      [relation],
    )
    const pages = Number(rows[0].pages)
    progress.total += pages
    for (let from = 0; from < pages; from += PAGES) {
      onProgress(progress.done, progress.total, `words of ${relation}`)
      await client.query(
        `INSERT INTO ${TABLE} (id, doc) SELECT ${alias}.id, ${doc} FROM ${table}
         WHERE ${alias}.ctid >= '(${from},0)' AND ${alias}.ctid < '(${from + PAGES},0)'
           AND ${alias}.visibility = 'public'`,
      )
      progress.done += Math.min(PAGES, pages - from)
    }
  })
  await Promise.allSettled(filling)
  await Promise.all(filling)
}
