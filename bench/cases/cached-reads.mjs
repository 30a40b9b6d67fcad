import { captureAnswer, startBaseline } from '../baselines/start.mjs'
import { alternate } from '../figures/alternate.mjs'
import { atLeast, atMost, lineOf, ratios } from '../figures/line.mjs'
import { column, cpuByProgram, measureLoad } from '../figures/measure.mjs'
import { short, spreadOf } from '../figures/stats.mjs'
import { saturate } from '../load/saturate.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */

/**
 * @typedef {object} Read
 * @property {string} name
 * @property {string} work
 * @property {(context: Context) => string} path
 * @property {string} [coding]
 * @property {boolean} [hasKey] the request carries an API key, as those of agents do
 */

/** @typedef {Record<'express' | 'http', { origin: string, pid: number }>} Baselines */

/** @type {Read[]} */
const READS = [
  { name: 'feed', work: 'GET feed, hot', path: () => '/api/v1/feed' },
  { name: 'feed-br', work: 'GET feed, hot, brotli', path: () => '/api/v1/feed', coding: 'br' },
  { name: 'feed-key', work: 'GET feed, hot, with a key', path: () => '/api/v1/feed', hasKey: true },
  {
    name: 'changes',
    work: 'GET changes, with a key',
    path: () => '/api/v1/changes?after=now',
    hasKey: true,
  },
  { name: 'post', work: 'GET post', path: ({ postIds }) => `/api/v1/posts/${postIds.at(-20)}` },
  { name: 'communities', work: 'GET communities', path: () => '/api/v1/communities' },
  { name: 'page', work: 'GET front page (HTML)', path: () => '/' },
  { name: 'search', work: 'GET search', path: () => '/api/v1/search?q=connection+pool' },
]

/**
 * Measures answers from the gateway's cache against bare Express and `node:http` sending the same
 * bytes, and the same again with `If-None-Match`.
 *
 * @param {Context} context
 */
export async function cachedReads(context) {
  const { forum, folder } = context
  const answers = `${folder}/answers`
  /** @type {Map<string, number>} */
  const sizes = new Map()
  for (const read of READS) {
    const url = forum.url + read.path(context)
    const headers = headersOf(read, context)
    // The first answer may not be compressed yet; the second one is.
    await captureAnswer(answers, read.name, url, headers)
    sizes.set(read.name, await captureAnswer(answers, read.name, url, headers))
  }
  const options = { answers, databaseUrl: forum.databaseUrl }
  const express = await startBaseline('express', options)
  try {
    const http = await startBaseline('node-http', options)
    try {
      return await compareAll(context, sizes, { express, http })
    } finally {
      await http.stop()
    }
  } finally {
    await express.stop()
  }
}

/**
 * @param {Context} context
 * @param {Map<string, number>} sizes in bytes, by the name of the read
 * @param {Baselines} baselines
 */
async function compareAll(context, sizes, baselines) {
  const lines = []
  for (const read of READS) {
    const work = `${read.work}, cached, ${short((sizes.get(read.name) ?? 0) / 1_000)} kB`
    lines.push(...(await compare(context, { ...read, work }, baselines, false)))
  }
  const feed = /** @type {Read} */ (READS[0])
  const known = { ...feed, work: 'GET feed with If-None-Match: 304' }
  lines.push(...(await compare(context, known, baselines, true)))
  return lines
}

/**
 * @param {Read} read
 * @param {Context} context
 */
function headersOf({ coding, hasKey }, { agents }) {
  return {
    ...(coding ? { 'accept-encoding': coding } : {}),
    ...(hasKey ? { authorization: `Bearer ${agents[0]?.key}` } : {}),
  }
}

/**
 * @param {Context} context
 * @param {Read} read
 * @param {Baselines} baselines
 * @param {boolean} isKnown the client has the answer already
 */
async function compare(context, read, { express, http }, isKnown) {
  const { forum, folder, rounds, seconds } = context
  const path = read.path(context)
  const given = headersOf(read, context)
  const base = isKnown ? `/not-modified/${read.name}` : `/bytes/${read.name}`
  const load = async (/** @type {string} */ origin, /** @type {string} */ requested) => {
    const tag = isKnown ? await etagOf(`${forum.url}${path}`, given) : {}
    const headers = { ...given, ...tag }
    return saturate({ origin, requests: [requested], headers, seconds, folder })
  }
  const found = await alternate(
    rounds,
    {
      forum: () => measureLoad(forum.pids, () => load(forum.url, path)),
      express: () => {
        return measureLoad(new Map([['express', express.pid]]), () => load(express.origin, base))
      },
      http: () => measureLoad(new Map([['http', http.pid]]), () => load(http.origin, base)),
    },
    context.under(read.work),
  )
  return linesOf(read.work, found)
}

/**
 * The ETag of the answer in the given coding; without a header, fetch would ask for a compressed
 * answer.
 *
 * @param {string} url
 * @param {Record<string, string>} headers
 */
async function etagOf(url, headers) {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } })
  await answer.arrayBuffer()
  return { 'if-none-match': answer.headers.get('etag') ?? '' }
}

/**
 * @param {string} work
 * @param {Record<string, import('../figures/measure.mjs').Measured[]>} found
 */
function linesOf(work, found) {
  const { forum = [], express = [], http = [] } = found
  const rate = (/** @type {typeof forum} */ rounds) => column(rounds, 'perSecond')
  const cpu = (/** @type {typeof forum} */ rounds) => column(rounds, 'cpuMs')
  const median = (/** @type {number[]} */ values) => short(spreadOf(values).median)
  return [
    lineOf(work, 'requests/s', rate(forum), {
      baseline: `Express ${median(rate(express))}, node:http ${median(rate(http))}`,
      bars: {
        Stoa: spreadOf(rate(forum)).median,
        'bare Express': spreadOf(rate(express)).median,
        'bare node:http': spreadOf(rate(http)).median,
      },
    }),
    lineOf(work, 'against bare Express', ratios(rate(forum), rate(express)), {
      unit: '×',
      reach: atLeast(3, '×'),
    }),
    lineOf(work, 'against bare node:http', ratios(rate(forum), rate(http)), {
      unit: '×',
      reach: atLeast(0.5, '×'),
    }),
    lineOf(work, 'CPU ms/request', cpu(forum), {
      baseline: `Express ${median(cpu(express))}, node:http ${median(cpu(http))}`,
      reach: atMost(0.06),
      cpu: cpuByProgram(forum),
    }),
  ]
}
