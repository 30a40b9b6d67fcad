import { setTimeout as sleep } from 'node:timers/promises'
import { SEARCH_LIMIT } from '../../packages/shared/dist/contracts/search.js'
import { SEARCH_PATH, searchBody } from '../baselines/meili-search.mjs'
import { startBaseline } from '../baselines/start.mjs'
import { Random } from '../corpus/random.mjs'
import { nameFrom } from '../corpus/text.mjs'
import { PARTS, TOOLS } from '../corpus/words.mjs'
import { alternate } from '../figures/alternate.mjs'
import { atLeast, atMost, lineOf, ratios } from '../figures/line.mjs'
import { column, cpuByProgram, measureLoad } from '../figures/measure.mjs'
import { short, spreadOf } from '../figures/stats.mjs'
import { closedLoop } from '../load/closed-loop.mjs'
import { saturate } from '../load/saturate.mjs'
import { uncachedHeaders } from '../load/uncached.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */

/** A gateway may answer with what it holds for a second; this is a little longer. */
export const FRESH_MS = 1_100

/**
 * Requests another post each time, so that no cache helps, against bare Express that reads one row
 * of PostgreSQL by its id.
 *
 * @param {Context} context
 */
export async function uncachedPost(context) {
  const { forum, folder, rounds, seconds } = context
  const options = { answers: `${folder}/answers`, databaseUrl: forum.databaseUrl }
  const express = await startBaseline('express', options)
  const theirs = new Map([
    ['express', express.pid],
    ['postgres', /** @type {number} */ (forum.pids.get('postgres'))],
  ])
  try {
    const work = 'GET post, each another one, uncached'
    const found = await alternate(
      rounds,
      {
        forum: async (round) => {
          // The posts of one round overlap with those of the next.
          await sleep(FRESH_MS)
          const requests = postPaths(context, round, '/api/v1/posts/')
          const load = { origin: forum.url, requests, seconds, folder }
          return measureLoad(forum.pids, () => saturate(load))
        },
        express: (round) => {
          const load = {
            origin: express.origin,
            requests: postPaths(context, round, '/row/'),
            seconds,
            folder,
          }
          return measureLoad(theirs, () => saturate(load))
        },
      },
      context.under(work),
    )
    return comparison(work, found, 'Express + one SELECT', 0.5, 0.7)
  } finally {
    await express.stop()
  }
}

/**
 * The paths of all posts, starting from another post in each round.
 *
 * @param {Context} context
 * @param {number} round
 * @param {string} prefix
 */
export function postPaths({ postIds, rounds }, round, prefix) {
  const start = Math.floor((postIds.length * (round + 1)) / (rounds + 1))
  return [...postIds.slice(start), ...postIds.slice(0, start)].map((id) => prefix + id)
}

/**
 * Measures feeds that a request asks for afresh: such answers are never kept.
 *
 * @param {Context} context
 */
export async function uncachedFeed(context) {
  const { forum, folder, rounds, seconds } = context
  const headers = uncachedHeaders(context)
  const sorts = [
    { sort: 'hot', reach: atMost(2) },
    { sort: 'new' },
    { sort: 'top' },
    { sort: 'active' },
  ]
  const variants = Object.fromEntries(
    sorts.map(({ sort }) => [
      sort,
      () => {
        const requests = [`/api/v1/feed?sort=${sort}`]
        const load = { origin: forum.url, requests, headers, seconds, folder }
        return measureLoad(forum.pids, () => saturate(load))
      },
    ]),
  )
  const found = await alternate(rounds, variants, context.under('uncached feed'))
  return sorts.flatMap(({ sort, reach }) => {
    const measured = found[sort] ?? []
    const work = `GET feed, ${sort}, uncached`
    return [
      lineOf(work, 'requests/s', column(measured, 'perSecond')),
      lineOf(work, 'CPU ms/request', column(measured, 'cpuMs'), {
        ...(reach ? { reach } : {}),
        cpu: cpuByProgram(measured),
      }),
    ]
  })
}

const QUERIES_MAX = 4_000
export const SEARCHERS = 8
const LEAST = 'one process that asks Meilisearch and PostgreSQL'

/**
 * Sends another query each time, half of them names from the texts and half two words, against
 * Meilisearch asked exactly the same over keep-alive connections. An answer from PostgreSQL counts
 * as a failure. For comparison, one process does nothing but ask both: the most that two processors
 * allow.
 *
 * @param {Context} context
 */
export async function uncachedSearch(context) {
  const { forum, folder, rounds } = context
  const bare = await startBaseline('bare-search', { ...forum, answers: `${folder}/answers` })
  const pidsOf = (/** @type {string[]} */ ...names) =>
    [...forum.pids].filter(([name]) => names.includes(name))
  const ofMeili = new Map(pidsOf('meilisearch'))
  const ofBare = new Map([['bare', bare.pid], ...pidsOf('postgres', 'meilisearch')])
  const query = queries()
  const load = { connections: SEARCHERS, seconds: context.seconds }
  const search = searches(query)
  const authorization = `Bearer ${forum.meiliKey}`
  const headers = { authorization, 'content-type': 'application/json' }
  /** @type {() => import('../load/closed-loop.mjs').Ask} */
  const toMeili = () => {
    return { method: 'POST', path: SEARCH_PATH, headers, body: searchBody(query(), SEARCH_LIMIT) }
  }
  const measured = (
    /** @type {Map<string, number>} */ pids,
    /** @type {string} */ origin,
    /** @type {() => import('../load/closed-loop.mjs').Ask} */ ask,
    /** @type {(text: string) => boolean} */ isGood = () => true,
  ) => measureLoad(pids, () => closedLoop({ ...load, origin }, ask, isGood))
  try {
    const work = 'GET search, each another query, uncached'
    const found = await alternate(
      rounds,
      {
        forum: () => measured(forum.pids, forum.url, search, isFromIndex),
        meilisearch: () => measured(ofMeili, forum.meiliUrl, toMeili),
        bare: () => measured(ofBare, bare.origin, search),
      },
      context.under(work),
    )
    const { meilisearch = [], bare: least = [] } = found
    const against = ratios(column(least, 'perSecond'), column(meilisearch, 'perSecond'))
    return [
      ...comparison(work, { ...found, express: meilisearch }, 'Meilisearch alone', 0.6),
      lineOf(LEAST, 'against Meilisearch alone', against, { unit: '×' }),
      lineOf(LEAST, 'CPU ms/request', column(least, 'cpuMs'), { cpu: cpuByProgram(least) }),
    ]
  } finally {
    await bare.stop()
  }
}

/** An answer from PostgreSQL did not search the index. */
export const isFromIndex = (/** @type {string} */ text) => text.includes('"engine":"meilisearch"')

/** Returns a function that gives another query each time, until all of them have been used. */
export function queries() {
  const r = new Random(QUERIES_MAX)
  const all = Array.from({ length: QUERIES_MAX }, (_, i) => {
    r.seed(QUERIES_MAX, i)
    return i % 2 === 0 ? nameFrom(r) : `${r.pick(TOOLS)} ${r.pick(PARTS)}`
  })
  let next = 0
  return () => /** @type {string} */ (all[next++ % all.length])
}

/**
 * @param {() => string} query
 * @returns {() => import('../load/closed-loop.mjs').Ask}
 */
export function searches(query) {
  return () => {
    const path = `/api/v1/search?q=${encodeURIComponent(query())}`
    return { method: 'GET', path, headers: {} }
  }
}

/**
 * @param {string} work
 * @param {Record<string, import('../figures/measure.mjs').Measured[]>} found
 * @param {string} name
 * @param {number} share how much of the baseline's rate it should reach
 * @param {number} [cpuMax] ms
 */
function comparison(work, { forum = [], express = [] }, name, share, cpuMax) {
  const ours = column(forum, 'perSecond')
  const theirs = column(express, 'perSecond')
  const rate = short(spreadOf(theirs).median)
  const cpu = short(spreadOf(column(express, 'cpuMs')).median)
  return [
    lineOf(work, 'requests/s', ours, {
      baseline: `${name} ${rate}`,
      bars: { Stoa: spreadOf(ours).median, [name]: spreadOf(theirs).median },
    }),
    lineOf(work, `against ${name}`, ratios(ours, theirs), {
      unit: '×',
      reach: atLeast(share, '×'),
    }),
    lineOf(work, 'CPU ms/request', column(forum, 'cpuMs'), {
      baseline: `${name} ${cpu}`,
      ...(cpuMax === undefined ? {} : { reach: atMost(cpuMax) }),
      cpu: cpuByProgram(forum),
    }),
  ]
}
