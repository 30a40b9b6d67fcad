import { join } from 'node:path'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { listDocuments, SearchType } from '@stoa/shared/contracts/search.js'
import { indexedDocument } from '../../services/search/dist/indexing/indexed-document.js'
import { bareLoad, gathered, inTasks } from '../baselines/meili-load.mjs'
import { alternate } from '../figures/alternate.mjs'
import { atLeast, lineOf, ratios } from '../figures/line.mjs'
import { column, cpuByProgram } from '../figures/measure.mjs'
import { totalOf, withProcessorTime } from '../figures/processes.mjs'
import { short, spreadOf } from '../figures/stats.mjs'
import { untilDrained } from '../forum/drain.mjs'
import { lastRebuild, rebuild } from '../forum/rebuild.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */
/** @typedef {import('@stoa/shared/contracts/search.js').SearchDocument} SearchDocument */

/** The task size of the search service, which sends documents as it reads them. */
const SMALL_BYTES = 2 * 1024 * 1024
/** Meilisearch indexes all waiting tasks as one batch, and indexes a large batch faster. */
const LARGE_BYTES = 16 * 1024 * 1024

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
 * Measures the rebuild of the search index from PostgreSQL against a load of the same documents in
 * few large tasks that need no gathering. For comparison, one process gathers posts and comments
 * itself, in tasks as the search service sends them: the most that two processors allow.
 *
 * @param {Context} context
 */
export async function rebuildSearch(context) {
  const { forum, rounds } = context
  const documents = await allDocuments(forum.natsUrl)
  /** @type {SearchDocument[][]} */
  const atHand = []
  for await (const task of inTasks(documents, LARGE_BYTES)) atHand.push(task)
  const found = await alternate(
    rounds,
    {
      forum: async () => {
        const { result, cpu } = await withProcessorTime(forum.pids, () => rebuilt(forum, 'search'))
        await untilDrained(forum)
        return { perSecond: documents.length / result.seconds, requests: documents.length, cpu }
      },
      bare: async () => ({ perSecond: await bareLoad(forum, atHand) }),
      gathered: async () => ({
        perSecond: await bareLoad(forum, inTasks(gathered(forum.databaseUrl), SMALL_BYTES)),
      }),
    },
    context.under('rebuild search'),
  )
  const ours = /** @type {import('../figures/measure.mjs').Measured[]} */ (found.forum)
  const cpuMs = ours.map(({ cpu, requests }) => totalOf(cpu) / requests)
  const bare = column(found.bare ?? [], 'perSecond')
  const work = `rebuild search, ${short(documents.length)} documents`
  const rate = short(spreadOf(bare).median)
  const against = (/** @type {number[]} */ rates) => ratios(rates, bare)
  return [
    lineOf(work, 'documents/s', column(ours, 'perSecond'), { baseline: `bare bulk load ${rate}` }),
    lineOf(work, 'against bare bulk load', against(column(ours, 'perSecond')), {
      unit: '×',
      reach: atLeast(0.9, '×'),
    }),
    lineOf(work, 'CPU ms/document', cpuMs, { cpu: cpuByProgram(ours) }),
    lineOf(
      'one process that reads PostgreSQL and loads Meilisearch',
      'against bare bulk load',
      against(column(found.gathered ?? [], 'perSecond')),
      { unit: '×' },
    ),
  ]
}

/**
 * All documents, exactly as the search service indexes them.
 *
 * @param {string} natsUrl
 * @returns {Promise<SearchDocument[]>}
 */
async function allDocuments(natsUrl) {
  const bus = await connectBus('gateway', natsUrl)
  const meta = { requestId: 'bench', remainingMs: 10_000 }
  /** @type {SearchDocument[]} */
  const all = []
  try {
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
    return all
  } finally {
    await bus.close()
  }
}
