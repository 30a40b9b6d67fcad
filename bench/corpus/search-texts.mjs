import { DOCUMENTS } from '../../services/content/dist/tables/search-texts.js'
import { inLanes } from './in-lanes.mjs'

/** @typedef {import('pg').ClientBase} Client */

const TABLE = 'search_texts'
/** 64 MiB of a table per statement, small enough for a progress bar that moves. */
const PAGES = 8_192

/** The documents as content writes them: each names its row `p` (posts) or `c` (comments). */
const SOURCES = [
  { relation: 'posts', alias: 'p', doc: DOCUMENTS.post },
  { relation: 'comments', alias: 'c', doc: DOCUMENTS.comment },
]

/**
 * Empties the full-text index of last resort and fills it from all posts and comments; each
 * connection fills one part of a table at a time. The index is derived data, so nothing is lost.
 *
 * @param {Client[]} lanes
 * @param {(done: number, total: number, what: string) => void} onProgress
 */
export async function fillSearchTexts(lanes, onProgress) {
  const [first] = lanes
  if (!first) return
  await first.query(`TRUNCATE ${TABLE}`)
  const queue = await partsOf(first)
  const total = queue.length
  await inLanes(lanes, queue, (client, { relation, statement }) => {
    onProgress(total - queue.length, total, `words of ${relation}`)
    return client.query(statement)
  })
}

/** @param {Client} client */
async function partsOf(client) {
  const parts = []
  for (const { relation, alias, doc } of SOURCES) {
    const { rows } = await client.query(
      `SELECT pg_relation_size($1::regclass) / current_setting('block_size')::bigint AS pages`,
      [relation],
    )
    for (let from = 0; from < Number(rows[0].pages); from += PAGES) {
      parts.push({
        relation,
        statement: `INSERT INTO ${TABLE} (id, doc)
          SELECT ${alias}.id, ${doc} FROM ${relation} ${alias}
          WHERE ${alias}.ctid >= '(${from},0)' AND ${alias}.ctid < '(${from + PAGES},0)'
            AND ${alias}.visibility = 'public'`,
      })
    }
  }
  return parts
}
