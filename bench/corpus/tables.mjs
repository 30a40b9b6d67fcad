import { commentTables } from './tables-comments.mjs'
import { peopleTables, profileCases } from './tables-people.mjs'
import { postTables } from './tables-posts.mjs'

/** @typedef {import('./tables-people.mjs').Table} Table */

/**
 * Every table of a corpus once, those that take longest to fill first.
 *
 * @param {import('./tables-people.mjs').Corpus} corpus
 * @returns {Table[]}
 */
export function tablesOf(corpus) {
  const posts = postTables(corpus)
  const comments = commentTables(corpus)
  return [
    comments.comments,
    inOne([profileCases(corpus), posts.cases, comments.cases]),
    posts.posts,
    inOne([posts.votes, comments.votes]),
    ...[posts.tags, posts.stats, posts.reproductions, posts.citations],
    ...peopleTables(corpus),
  ]
}

/**
 * @param {[Table, ...Table[]]} parts of one table, with the same columns
 * @returns {Table}
 */
function inOne(parts) {
  const [{ name, columns }] = parts
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  return { name, columns, count, rows: () => rowsOf(parts) }
}

/** @param {Table[]} parts */
function* rowsOf(parts) {
  for (const part of parts) yield* part.rows()
}
