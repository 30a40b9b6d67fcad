import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { listDocuments, SearchType } from '@stoa/shared/contracts/search.js'
import { request } from 'undici'
import { INDEX_SETTINGS } from '../../services/search/dist/indexing/index-settings.js'
import { indexedDocument } from '../../services/search/dist/indexing/indexed-document.js'
import { alternate } from '../figures/alternate.mjs'
import { atLeast, lineOf, ratios } from '../figures/line.mjs'
import { short, spreadOf } from '../figures/stats.mjs'
import { untilDrained } from '../forum/drain.mjs'
import { lastRebuild, rebuild } from '../forum/rebuild.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */
/** @typedef {import('@stoa/shared/contracts/search.js').SearchDocument} SearchDocument */

const BARE = 'bench_bare'
const TASK_BYTES_MAX = 16 * 1024 * 1024

/** @param {Context} context */
export async function rebuildRanking(context) {
  const { forum, rounds } = context
  const { ranking = [] } = await alternate(
    rounds,
    { ranking: () => rebuilt(forum, 'ranking') },
    context.under('rebuild ranking'),
  )
  const rates = ranking.map(({ documents, seconds }) => documents / seconds)
  const took = spreadOf(ranking.map(({ seconds }) => seconds)).median
  const about = `${ranking[0]?.documents} posts in ${short(took)} s`
  return [
    lineOf('rebuild ranking', 'posts/s', rates, { reach: atLeast(50_000, '/s'), baseline: about }),
  ]
}

/**
 * @param {Context['forum']} forum
 * @param {'ranking' | 'search'} target
 */
async function rebuilt(forum, target) {
  await rebuild(forum.natsUrl, target, () => {})
  return lastRebuild(join(forum.folder, 'logs', `${target}.log`))
}

/**
 * The search index from PostgreSQL, against the same documents in few large tasks that nobody has
 * to gather.
 *
 * @param {Context} context
 */
export async function rebuildSearch(context) {
  const { forum, rounds } = context
  const documents = await allDocuments(forum.natsUrl)
  const found = await alternate(
    rounds,
    {
      forum: async () => {
        const { seconds } = await rebuilt(forum, 'search')
        await untilDrained(forum)
        return documents.length / seconds
      },
      bare: async () => documents.length / (await bareLoad(forum, documents)),
    },
    context.under('rebuild search'),
  )
  const { forum: ours = [], bare = [] } = found
  const work = `rebuild search, ${short(documents.length)} documents`
  const rate = short(spreadOf(bare).median)
  return [
    lineOf(work, 'documents/s', ours, { baseline: `bare bulk load ${rate}` }),
    lineOf(work, 'against bare bulk load', ratios(ours, bare), {
      ...{ unit: '×', reach: atLeast(0.9, '×') },
    }),
  ]
}

/**
 * Just as the search service has them indexed.
 *
 * @param {string} natsUrl
 * @returns {Promise<SearchDocument[]>}
 */
async function allDocuments(natsUrl) {
  const bus = await connectBus('gateway', natsUrl)
  const meta = { requestId: 'bench', remainingMs: 10_000 }
  /** @type {SearchDocument[]} */
  const all = []
  for (const type of SearchType.options) {
    let after = ''
    for (;;) {
      const input = { type, limit: 500, ...(after ? { after_id: after } : {}) }
      const { items } = await bus.request(listDocuments, input, meta)
      all.push(...items.map(indexedDocument))
      const last = items.at(-1)
      if (!last) break
      after = last.id
    }
  }
  await bus.close()
  return all
}

/**
 * @param {Context['forum']} forum
 * @param {SearchDocument[]} documents
 * @returns {Promise<number>} seconds
 */
async function bareLoad(forum, documents) {
  const ask = askMeili(forum)
  await ask('DELETE', `/indexes/${BARE}`)
    .then(ask.settled)
    .catch(() => {})
  await ask.settled(await ask('POST', '/indexes', { uid: BARE, primaryKey: 'id' }))
  await ask.settled(await ask('PATCH', `/indexes/${BARE}/settings`, INDEX_SETTINGS))
  const startedAt = performance.now()
  let task
  for (const part of parts(documents)) task = await ask('POST', `/indexes/${BARE}/documents`, part)
  await ask.settled(task)
  const seconds = (performance.now() - startedAt) / 1_000
  await ask.settled(await ask('DELETE', `/indexes/${BARE}`))
  return seconds
}

/** @param {SearchDocument[]} documents */
function* parts(documents) {
  let part = []
  let bytes = 0
  for (const document of documents) {
    part.push(document)
    bytes += document.body_md.length + 400
    if (bytes < TASK_BYTES_MAX) continue
    yield part
    part = []
    bytes = 0
  }
  if (part.length > 0) yield part
}

/** @param {Context['forum']} forum */
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
    for (;;) {
      const { status, error } = await ask('GET', `/tasks/${task.taskUid}`)
      if (status === 'succeeded') return
      if (status === 'failed') throw new Error(`Meilisearch: ${error.message}`)
      await sleep(50)
    }
  }
  return Object.assign(ask, { settled })
}
