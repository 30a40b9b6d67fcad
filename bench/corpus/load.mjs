import { FORM } from '../../services/content/dist/tables/search-texts.js'
import { openForLoading } from './connect.mjs'
import { copyInLanes } from './copy-lanes.mjs'
import { countCorpus } from './counters.mjs'
import { inLanes } from './in-lanes.mjs'
import { restore, setAside } from './indexes.mjs'
import { planCorpus, postId } from './plan.mjs'
import { fillSearchTexts } from './search-texts.mjs'
import { tablesOf } from './tables.mjs'
import { addCommunities } from './tables-people.mjs'

/** @typedef {import('./plan.mjs').CorpusSize} CorpusSize */
/** @typedef {import('pg').Client} Client */
/** @typedef {import('./tables-people.mjs').Corpus} Corpus */
/** @typedef {(done: number, total: number, what: string) => void} OnProgress */

const CHANGES_MAX = 10_000
const LANES = 2

/**
 * Writes a corpus straight into the forum's tables, in the shapes that the forum's own writes
 * leave: every counter adds up, every publication has its own tick, the newest posts are in the
 * change log. The forum should be quiet during the load, because its indexes are missing.
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
  const tables = tablesOf(corpus)
  const names = [...tables.map(({ name }) => name), 'search_texts']
  const first = await openForLoading(databaseUrl)
  const clients = [first]
  try {
    for (let i = 1; i < LANES; i++) clients.push(await openForLoading(databaseUrl))
    await refuseSecond(first, corpus)
    await setAside(first, names)
    try {
      await addCommunities(first, corpus)
      await copyInLanes(databaseUrl, LANES, corpus, tables, onProgress)
      if (size.words) await fillSearchTexts(clients, onProgress)
    } finally {
      await restore(clients, onProgress)
    }
    await publish(first, corpus)
    await settle(clients, names, onProgress)
    return corpus
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/**
 * @param {Client} client
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
 * Moves the publication tick past the corpus and gives the change log its newest posts. A new epoch
 * tells the log's readers that they have missed changes.
 *
 * @param {Client} client
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
  // Either the full-text index holds the words of everything, or `words` was not given: then the
  // few posts in the log would not fill the rest.
  await client.query('UPDATE search_progress SET seq = $1, form = $2, form_seq = $1', [
    rows[0].seq,
    FORM,
  ])
  await client.query('COMMIT')
}

/**
 * Vacuums and analyses the tables now, so that no such work disturbs a measurement later.
 *
 * @param {Client[]} clients
 * @param {string[]} tables
 * @param {OnProgress} onProgress
 */
async function settle(clients, tables, onProgress) {
  const queue = [...tables, 'changes', 'communities', 'community_stats', 'publication']
  const total = queue.length
  await inLanes(clients, queue, (client, table) => {
    onProgress(total - queue.length, total, `vacuuming ${table}`)
    return client.query(`VACUUM (ANALYZE) ${table}`)
  })
}
