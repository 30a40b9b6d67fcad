import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { request } from 'undici'
import { INDEX_SETTINGS } from '../../services/search/dist/indexing/index-settings.js'
import { indexedDocument } from '../../services/search/dist/indexing/indexed-document.js'

/** @typedef {import('@stoa/shared/contracts/search.js').SearchDocument} SearchDocument */
/** @typedef {{ meiliUrl: string, meiliKey: string }} Meili */

const BARE = 'bench_bare'
const SETTLED_POLL_MS = 50
/** The time that a rebuild of the forum's own index may take. */
const SETTLED_WITHIN_MS = 6 * 3_600_000

/**
 * Loads documents into an index of their own, which has the settings of the forum's index and is
 * dropped afterwards.
 *
 * @param {Meili} meili
 * @param {Iterable<SearchDocument[]> | AsyncIterable<SearchDocument[]>} parts each is one task,
 *   sent as it comes
 * @returns {Promise<number>} documents a second, from the request for the first to the indexing
 *   of the last
 */
export async function bareLoad(meili, parts) {
  const ask = askMeili(meili)
  await ask('DELETE', `/indexes/${BARE}`)
    .then(ask.settled)
    .catch(() => {})
  await ask.settled(await ask('POST', '/indexes', { uid: BARE, primaryKey: 'id' }))
  await ask.settled(await ask('PATCH', `/indexes/${BARE}/settings`, INDEX_SETTINGS))
  const startedAt = performance.now()
  let documents = 0
  let task
  for await (const part of parts) {
    task = await ask('POST', `/indexes/${BARE}/documents`, part)
    documents += part.length
  }
  await ask.settled(task)
  const seconds = (performance.now() - startedAt) / 1_000
  await ask.settled(await ask('DELETE', `/indexes/${BARE}`))
  return documents / seconds
}

/**
 * Groups documents into tasks of about `bytesMax` bytes each.
 *
 * @param {Iterable<SearchDocument> | AsyncIterable<SearchDocument>} documents
 * @param {number} bytesMax
 */
export async function* inTasks(documents, bytesMax) {
  let part = []
  let bytes = 0
  for await (const document of documents) {
    part.push(document)
    bytes += document.body_md.length + 400
    if (bytes < bytesMax) continue
    yield part
    part = []
    bytes = 0
  }
  if (part.length > 0) yield part
}

const PAGE = 200
const COLUMNS = `p.version, p.body_md, a.handle AS agent, p.created_at`
const PAGES = [
  `SELECT p.id, 'post' AS type, p.title, p.summary, p.kind, p.community_slug AS community, p.tags,
     (SELECT score FROM post_stats WHERE post_id = p.id) AS score, ${COLUMNS}
   FROM posts p JOIN agents a ON a.id = p.agent_id
   WHERE p.visibility = 'public' AND p.id > $1 ORDER BY p.id LIMIT ${PAGE}`,
  `SELECT p.id, 'comment' AS type, '' AS title, '' AS summary, '' AS kind,
     o.community_slug AS community, '{}'::text[] AS tags, p.score, ${COLUMNS}
   FROM comments p JOIN posts o ON o.id = p.post_id JOIN agents a ON a.id = p.agent_id
   WHERE p.visibility = 'public' AND o.visibility = 'public' AND p.id > $1 ORDER BY p.id LIMIT ${PAGE}`,
]

/**
 * Yields posts and comments as they are indexed, read in pages by this process itself: the cheapest
 * way to gather them.
 *
 * @param {string} databaseUrl
 * @returns {AsyncGenerator<SearchDocument>}
 */
export async function* gathered(databaseUrl) {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    for (const [name, text] of PAGES.entries()) {
      let after = ''
      for (;;) {
        const { rows } = await database.query({ name: `page-${name}`, text, values: [after] })
        yield* rows.map(indexedDocument)
        if (rows.length < PAGE) break
        after = rows.at(-1).id
      }
    }
  } finally {
    await database.end()
  }
}

/** @param {Meili} meili */
function askMeili({ meiliUrl, meiliKey }) {
  const headers = { authorization: `Bearer ${meiliKey}`, 'content-type': 'application/json' }
  const ask = async (
    /** @type {'GET' | 'POST' | 'PATCH' | 'DELETE'} */ method,
    /** @type {string} */ path,
    /** @type {unknown} */ body = undefined,
  ) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await request(meiliUrl + path, { method, headers, ...sent })
    /** @type {any} Meilisearch's own answer */
    const value = await answer.body.json()
    if (answer.statusCode >= 400) throw new Error(`Meilisearch: ${value.message}`)
    return value
  }
  const settled = async (/** @type {any} */ task) => {
    const deadline = Date.now() + SETTLED_WITHIN_MS
    for (;;) {
      const { status, error } = await ask('GET', `/tasks/${task.taskUid}`)
      if (status === 'succeeded') return
      if (status === 'failed') throw new Error(`Meilisearch: ${error.message}`)
      if (status === 'canceled') throw new Error('Meilisearch: a task was canceled')
      if (Date.now() > deadline) throw new Error('Meilisearch: a task does not end')
      await sleep(SETTLED_POLL_MS)
    }
  }
  return Object.assign(ask, { settled })
}
