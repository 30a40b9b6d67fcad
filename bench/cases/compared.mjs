import { setTimeout as sleep } from 'node:timers/promises'
import { measureLoad } from '../figures/measure.mjs'
import { closedLoop } from '../load/closed-loop.mjs'
import { saturate } from '../load/saturate.mjs'
import { uncachedHeaders } from '../load/uncached.mjs'
import { prepared, writers } from '../load/writes.mjs'
import { FRESH_MS, postPaths, queries, SEARCHERS, searches } from './uncached-reads.mjs'
import { READY_PER_SECOND, writeRound } from './writes.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */
/** @typedef {import('../figures/measure.mjs').Measured} Measured */
/** @typedef {(context: Context) => (round: number) => Promise<Measured>} Work measures one round */

/** @type {(sort: string) => Work} */
const feed = (sort) => (context) => () => {
  return reads(context, [`/api/v1/feed?sort=${sort}`], uncachedHeaders(context))
}

/** @type {(kind: 'post' | 'comment' | 'voteSpread') => Work} */
const write = (kind) => (context) => {
  const make = writers(context)[kind]
  return () => writeRound(context, prepared(make, context.seconds * READY_PER_SECOND))
}

/**
 * The loads that two checkouts are compared under, by name. They are loads of the bench's cases.
 *
 * @type {Record<string, Work>}
 */
export const comparedWorks = {
  post: (context) => async (round) => {
    await sleep(FRESH_MS)
    return reads(context, postPaths(context, round, '/api/v1/posts/'))
  },
  'feed-hot': feed('hot'),
  'feed-new': feed('new'),
  'feed-top': feed('top'),
  'feed-active': feed('active'),
  search: ({ forum, seconds }) => {
    const next = searches(queries())
    const load = { origin: forum.url, connections: SEARCHERS, seconds }
    return () => measureLoad(forum.pids, () => closedLoop(load, next))
  },
  'create-post': write('post'),
  comment: write('comment'),
  vote: write('voteSpread'),
}

/**
 * @param {Context} context
 * @param {string[]} requests
 * @param {Record<string, string>} [headers]
 */
function reads({ forum, seconds, folder }, requests, headers = {}) {
  const load = { origin: forum.url, requests, headers, seconds, folder }
  return measureLoad(forum.pids, () => saturate(load))
}
