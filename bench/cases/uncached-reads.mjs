import { meiliQuery } from '../../services/search/dist/meili-query.js'
import { alternate } from '../alternate.mjs'
import { startBaseline } from '../baselines/start.mjs'
import { PARTS, TOOLS } from '../corpus/words.mjs'
import { atLeast, atMost, lineOf, ratios } from '../line.mjs'
import { saturate } from '../load/saturate.mjs'
import { column, cpuByProgram, measureLoad } from '../measure.mjs'
import { short, spreadOf } from '../stats.mjs'

/** @typedef {import('../context.mjs').Context} Context */

/**
 * Every request another post, so that no cache helps, against bare Express with one row of
 * PostgreSQL by its id.
 *
 * @param {Context} context
 */
export async function uncachedPost(context) {
  const { forum, folder, rounds, seconds, postIds } = context
  const options = { answers: `${folder}/answers`, databaseUrl: forum.databaseUrl }
  const express = await startBaseline('express', options)
  const theirs = new Map([
    ['express', express.pid],
    ['postgres', /** @type {number} */ (forum.pids.get('postgres'))],
  ])
  const paths = (/** @type {number} */ round, /** @type {string} */ prefix) => {
    const start = Math.floor((postIds.length * (round + 1)) / (rounds + 1))
    return [...postIds.slice(start), ...postIds.slice(0, start)].map((id) => prefix + id)
  }
  try {
    const work = 'GET post, each another one, uncached'
    const found = await alternate(
      rounds,
      {
        forum: (round) => {
          const requests = paths(round, '/api/v1/posts/')
          const load = { origin: forum.url, requests, seconds, folder }
          return measureLoad(forum.pids, () => saturate(load))
        },
        express: (round) => {
          const load = { origin: express.origin, requests: paths(round, '/row/'), seconds, folder }
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
 * The hot feed as somebody with a key gets it while nobody without one has asked: such answers
 * are never kept.
 *
 * @param {Context} context
 */
export async function uncachedFeed(context) {
  const { forum, folder, rounds, seconds, agents } = context
  const headers = { authorization: `Bearer ${agents[0]?.key}` }
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

/**
 * Every request another query, against Meilisearch asked the very same over keep-alive.
 *
 * @param {Context} context
 */
export async function uncachedSearch(context) {
  const { forum, folder, rounds, seconds } = context
  const queries = TOOLS.flatMap((tool) => PARTS.map((part) => `${part} ${tool}`))
  const shuffled = queries.map((_, i) => queries[(i * 1_009) % queries.length] ?? '')
  const chosen = shuffled.slice(0, QUERIES_MAX)
  const rotated = (/** @type {number} */ round) => {
    const start = Math.floor((chosen.length * (round + 1)) / (rounds + 1))
    return [...chosen.slice(start), ...chosen.slice(0, start)]
  }
  const headers = {
    authorization: `Bearer ${forum.meiliKey}`,
    'content-type': 'application/json',
  }
  const ask = (/** @type {string} */ q) => {
    const input = { q, type: 'post', sort: 'relevance', fields: 'full', limit: 25 }
    return JSON.stringify(meiliQuery(/** @type {any} */ (input), 0, 25))
  }
  const meili = /** @type {number} */ (forum.pids.get('meilisearch'))
  const work = 'GET search, each another query, uncached'
  const found = await alternate(
    rounds,
    {
      forum: (round) => {
        const paths = rotated(round).map((q) => `/api/v1/search?q=${encodeURIComponent(q)}`)
        const load = { origin: forum.url, requests: paths, seconds, folder }
        return measureLoad(forum.pids, () => saturate(load))
      },
      meilisearch: (round) => {
        const requests = rotated(round).map((q) => `/indexes/stoa_forum/search\t${ask(q)}`)
        const load = { origin: forum.meiliUrl, requests, headers, seconds, folder }
        return measureLoad(new Map([['meilisearch', meili]]), () => saturate(load))
      },
    },
    context.under(work),
  )
  const theirs = { forum: found.forum ?? [], express: found.meilisearch ?? [] }
  return comparison(work, theirs, 'Meilisearch alone', 0.6)
}

/**
 * @param {string} work
 * @param {Record<string, import('../measure.mjs').Measured[]>} found
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
