import { join } from 'node:path'
import { alternate } from '../figures/alternate.mjs'
import { lineOf } from '../figures/line.mjs'
import { column, cpuByProgram, measureLoad } from '../figures/measure.mjs'
import { short, spreadOf } from '../figures/stats.mjs'
import { untilDrained } from '../forum/drain.mjs'
import { besideLarge } from '../forum/large-forum.mjs'
import { lastRebuild } from '../forum/rebuild.mjs'
import { closedLoop } from '../load/closed-loop.mjs'
import { openLoop } from '../load/open-loop.mjs'
import { prepared, writers } from '../load/writes.mjs'
import { isFromIndex, queries, searches } from './uncached-reads.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */
/** @typedef {import('../figures/measure.mjs').Measured} Measured */

const READERS = 4
/** A rate that a large forum may have all day. */
const POSTS_PER_SECOND = 20
/** Enough posts, for long enough, that search merges new documents about twice in a round. */
const RUSH = { perSecond: 100, seconds: 30 }

/**
 * Measures what the search index costs on a large forum and on a small one: to fill it, to search
 * it, and to index a new post. No target is set for these figures.
 *
 * @param {Context} small whose index is filled
 */
export function growthIndex(small) {
  return besideLarge(small, { withSearch: true }, async (large) => [
    filled(small, large),
    ...(await compare('search', small, large, searchesOf)),
    ...(await compare(`post, ${POSTS_PER_SECOND} a second`, small, large, postsOf)),
    ...(await compare(`post, ${RUSH.perSecond} a second`, small, large, rushOf)),
  ])
}

/**
 * @param {Context} small
 * @param {Context} large
 */
function filled(small, large) {
  const [few, many] = [small, large]
    .map(({ forum }) => lastRebuild(join(forum.folder, 'logs', 'search.log')))
    .map(({ documents, seconds }) => ({ documents, rate: documents / seconds }))
  return lineOf(
    `fill the index, ${short(many?.documents ?? 0)} documents`,
    'documents/s',
    [many?.rate ?? 0],
    {
      baseline: `${short(few?.documents ?? 0)} documents: ${short(few?.rate ?? 0)}`,
    },
  )
}

/**
 * @param {string} work
 * @param {Context} small
 * @param {Context} large
 * @param {(context: Context) => () => Promise<Measured>} measureOf
 */
async function compare(work, small, large, measureOf) {
  const variants = { small: measureOf(small), large: measureOf(large) }
  const { small: few = [], large: many = [] } = await alternate(
    small.rounds,
    variants,
    small.under(work),
  )
  const name = `${work}, ${short(large.postIds.length)} posts`
  const line = (
    /** @type {string} */ measure,
    /** @type {(rounds: Measured[]) => number[]} */ of,
  ) => lineOf(name, measure, of(many), { baseline: `small ${short(spreadOf(of(few)).median)}` })
  const ofIndex = (/** @type {Measured[]} */ all) =>
    all.map(({ cpu, requests }) => (cpu.get('meilisearch') ?? 0) / requests)
  return [
    line('CPU ms of Meilisearch', ofIndex),
    { ...line('CPU ms all in', (all) => column(all, 'cpuMs')), cpu: cpuByProgram(many) },
    line('p99 ms', (all) => column(all, 'p99')),
  ]
}

/** @param {Context} context */
function searchesOf({ forum, seconds }) {
  const next = searches(queries())
  const load = { origin: forum.url, connections: READERS, seconds }
  return () => measureLoad(forum.pids, () => closedLoop(load, next, isFromIndex))
}

/** @param {Context} context */
function postsOf(context) {
  return written(context, POSTS_PER_SECOND, context.seconds)
}

/** @param {Context} context */
function rushOf(context) {
  return written(context, RUSH.perSecond, RUSH.seconds)
}

/**
 * Measures writes until the last document is indexed.
 *
 * @param {Context} context
 * @param {number} rate
 * @param {number} seconds
 */
function written(context, rate, seconds) {
  const { forum } = context
  const { post } = writers(context)
  const load = { origin: forum.url, rate, seconds }
  return () =>
    measureLoad(forum.pids, async () => {
      const found = await openLoop(load, prepared(post, rate * seconds))
      await untilDrained(forum)
      return found
    })
}
