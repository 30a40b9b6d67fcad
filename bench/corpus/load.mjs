import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { countCorpus } from './counters.mjs'
import { restore, setAside } from './indexes.mjs'
import { planCorpus, postId } from './plan.mjs'
import { fillSearchTexts } from './search-texts.mjs'
import { commentTables } from './tables-comments.mjs'
import { addCommunities, peopleTables, profileCases } from './tables-people.mjs'
import { postTables } from './tables-posts.mjs'

/** @typedef {import('./plan.mjs').CorpusSize} CorpusSize */
/** @typedef {import('./tables-people.mjs').Table} Table */
/** @typedef {import('./tables-people.mjs').Corpus} Corpus */
/** @typedef {(done: number, total: number, what: string) => void} OnProgress */

const CHUNK_CHARACTERS = 256 * 1024
const CHANGES_MAX = 10_000
const LANES = 2

const SETTINGS = [
  ...['synchronous_commit = off', `maintenance_work_mem = '1GB'`, 'statement_timeout = 0'],
  ...['lock_timeout = 0', 'idle_in_transaction_session_timeout = 0'],
  ...['max_parallel_maintenance_workers = 0', `timezone = 'UTC'`],
]

/**
 * Writes a corpus straight into the forum's tables, in the shapes its own writes leave behind:
 * every counter adds up, every publication has its own tick, the newest posts are in the change
 * log. The forum should be quiet meanwhile, for its indexes are away.
 *
 * @param {string} databaseUrl
 * @param {CorpusSize} size
 * @param {OnProgress} onProgress
 * @returns {Promise<Corpus>}
 * @throws {Error} when a corpus of the same seed is there already
 */
export async function loadCorpus(databaseUrl, size, onProgress) {
  onProgress(0, 1, 'planning')
  const plan = planCorpus(size)
  const corpus = { plan, counters: countCorpus(plan) }
  const lanes = await openLanes(databaseUrl)
  const [first] = lanes
  try {
    await refuseSecond(first, corpus)
    const tables = new Set(lanesOf(corpus).flatMap((lane) => lane.map(({ name }) => name)))
    await setAside(first, [...tables, 'search_texts'])
    try {
      await copyAll(lanes, corpus, onProgress)
      await fillSearchTexts(lanes, onProgress)
    } finally {
      await restore(lanes, onProgress)
    }
    await publish(first, corpus)
    onProgress(0, 1, 'analyzing')
    await first.query('ANALYZE')
    return corpus
  } finally {
    await Promise.all(lanes.map((client) => client.end()))
  }
}

/**
 * @param {string} databaseUrl
 * @returns {Promise<[pg.Client, ...pg.Client[]]>}
 */
async function openLanes(databaseUrl) {
  const lanes = Array.from({ length: LANES }, () => {
    return new pg.Client({ connectionString: databaseUrl, application_name: 'stoa-bench-seed' })
  })
  for (const client of lanes) {
    await client.connect()
    for (const setting of SETTINGS) await client.query(`SET ${setting}`)
    // Not every build has it; the other compression takes several times as long.
    await client.query(`SET default_toast_compression = 'lz4'`).catch(() => {})
  }
  return /** @type {[pg.Client, ...pg.Client[]]} */ (lanes)
}

/**
 * @param {pg.Client} client
 * @param {Corpus} corpus
 */
async function refuseSecond(client, { plan }) {
  const { rows } = await client.query(
    'SELECT 1 FROM posts WHERE id = $1 UNION ALL SELECT 1 FROM agents WHERE handle = $2',
    [postId(plan, 0), plan.agents[0]?.handle],
  )
  if (rows.length > 0) {
    throw new Error('A corpus of this seed has been loaded: choose another one with --seed.')
  }
}

/**
 * Which tables go over which connection, so that both end at about the same time.
 *
 * @param {Corpus} corpus
 * @returns {[Table[], Table[]]}
 */
function lanesOf(corpus) {
  const posts = postTables(corpus)
  const comments = commentTables(corpus)
  return [
    [posts.firstPosts, posts.stats, posts.tags, posts.reproductions, posts.citations, posts.cases],
    [
      ...peopleTables(corpus),
      ...[posts.laterPosts, profileCases(corpus), comments.comments, comments.votes],
      ...[posts.votes, comments.cases],
    ],
  ]
}

/**
 * @param {[pg.Client, ...pg.Client[]]} clients
 * @param {Corpus} corpus
 * @param {OnProgress} onProgress
 */
async function copyAll(clients, corpus, onProgress) {
  await addCommunities(clients[0], corpus)
  const lanes = lanesOf(corpus)
  const total = lanes.flat().reduce((sum, { count }) => sum + count, 0)
  let done = 0
  const inLane = async (/** @type {Table[]} */ tables, /** @type {number} */ lane) => {
    for (const table of tables) {
      let counted = 0
      await copyTable(/** @type {pg.Client} */ (clients[lane]), table, (rows) => {
        // A table whose rows were only guessed at must not push the bar past its end.
        const step = Math.min(rows, table.count - counted)
        counted += step
        done += step
        onProgress(done, total, table.name)
      })
      done += table.count - counted
    }
  }
  const copying = lanes.map(inLane)
  await Promise.allSettled(copying)
  await Promise.all(copying)
}

/**
 * @param {pg.Client} client
 * @param {Table} table
 * @param {(rows: number) => void} onRows
 */
async function copyTable(client, { name, columns, rows }, onRows) {
  const stream = client.query(copyFrom(`COPY ${name} (${columns.join(', ')}) FROM STDIN`))
  const written = finished(stream)
  written.catch(() => {})
  let chunk = ''
  let pending = 0
  for (const row of rows()) {
    chunk += `${row}\n`
    pending++
    if (chunk.length < CHUNK_CHARACTERS) continue
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), written])
    // A socket that takes everything at once would never let the other lane have its turn.
    await nextTurn()
    onRows(pending)
    chunk = ''
    pending = 0
  }
  stream.end(chunk)
  await written
  onRows(pending)
}

/**
 * Moves the publication tick past the corpus and gives the change log its newest posts. A new
 * epoch tells whoever followed the log that it has not been told everything.
 *
 * @param {pg.Client} client
 * @param {Corpus} corpus
 */
async function publish(client, { counters }) {
  await client.query('BEGIN')
  const { rows } = await client.query(
    `UPDATE publication
     SET tick = greatest(tick, $1::bigint), seq = seq + least($2, (SELECT count(*) FROM posts)),
       epoch = greatest(epoch + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
     RETURNING seq`,
    [counters.lastAt, CHANGES_MAX],
  )
  await client.query(
    `INSERT INTO changes (seq, type, target_id, post_id, community_slug, at)
     SELECT $1::bigint - row_number() OVER (ORDER BY created_at DESC, id DESC) + 1,
       'post.published', id, id, community_slug, created_at
     FROM (SELECT id, community_slug, created_at FROM posts
       ORDER BY created_at DESC, id DESC LIMIT $2) newest`,
    [rows[0].seq, CHANGES_MAX],
  )
  // The words of everything are in the index, so nothing is left to be read from the log.
  await client.query('UPDATE search_progress SET seq = $1', [rows[0].seq])
  await client.query('COMMIT')
}
