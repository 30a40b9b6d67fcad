import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { startBaseline } from '../baselines/start.mjs'
import { alternate } from '../figures/alternate.mjs'
import { atMost, lineOf } from '../figures/line.mjs'
import { refuseFailures } from '../figures/measure.mjs'
import { percentile, spreadOf } from '../figures/stats.mjs'
import { untilDrained } from '../forum/drain.mjs'
import { exchange } from '../load/closed-loop.mjs'
import { openLoop, TAIL_SECONDS_MIN } from '../load/open-loop.mjs'
import { uncachedHeaders } from '../load/uncached.mjs'
import { prepared, writers } from '../load/writes.mjs'
import { HALF_OF_REACH, halfRate, READY_PER_SECOND, writeRound } from './writes.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */

/**
 * Where posts are published and looked for.
 *
 * @typedef {object} Place
 * @property {string} origin
 * @property {string} path where posts are sent
 * @property {Record<string, string>} fresh headers for an answer that nobody kept
 */

/**
 * Probes are part of the load. The shortest round has a hundred, so that its 99th percentile is the
 * second worst delay.
 */
const PROBES_PER_SECOND = 25
/**
 * Each poll of the change log is a request to content: more frequent polls would be a load of their
 * own.
 */
const LIST_POLL_MS = 5
/**
 * A search costs more than two posts, so each search asks for all probes of the last two seconds.
 */
const SEARCH_POLL_MS = 100
const SEARCH_LIMIT = 50
const GIVE_UP_MS = 15_000
const COMMUNITY = 'general'
/** The longest delays that are acceptable at half load, in milliseconds. */
const REACH = { hot: 30, changes: 30, searchable: 1_000 }

/**
 * Measures how long after its publication a post is in the hot feed of its community, in the change
 * log and in the search results, while posts arrive at half the rate the forum can take, and at
 * half the rate it is required to take. For comparison it measures, on the same busy machine, how
 * long one process takes to insert a row and to show it, and how long by way of the stream and the
 * order that a hot feed needs.
 *
 * @param {Context} context
 */
export async function publishDelays(context) {
  const { forum, folder, rounds, seconds, under } = context
  const { post } = writers(context)
  const full = () => writeRound(context, prepared(post, seconds * READY_PER_SECOND))
  const found = await alternate(rounds, { full }, under('publish delays, finding half load'))
  const options = { ...forum, answers: `${folder}/answers` }
  const express = await startBaseline('express', options)
  try {
    const publication = await startBaseline('bare-publication', options)
    const bare = { express: express.origin, publication: publication.origin }
    try {
      return [
        ...(await delaysAt(context, bare, halfRate(found.full ?? []), REACH)),
        ...(await delaysAt(context, bare, HALF_OF_REACH)),
      ]
    } finally {
      await publication.stop()
    }
  } finally {
    await express.stop()
  }
}

/**
 * @param {Context} context
 * @param {Record<'express' | 'publication', string>} bare the origins of the baselines
 * @param {number} rate posts per second, the probes included
 * @param {Partial<typeof REACH>} [reach]
 */
async function delaysAt(context, bare, rate, reach = {}) {
  const { forum, rounds, under } = context
  const seconds = Math.max(TAIL_SECONDS_MIN, context.seconds)
  const over = new AbortController()
  const load = { origin: forum.url, rate: rate - PROBES_PER_SECOND, until: over.signal }
  const ready = prepared(writers(context).post, Math.ceil(rate * seconds * 2 * (rounds + 2)))
  const loaded = openLoop({ ...load, seconds: Number.POSITIVE_INFINITY }, ready)
  const work = `at ${rate.toFixed(0)} posts/s`
  const path = `/api/v1/communities/${COMMUNITY}/posts`
  const ours = { origin: forum.url, path, fresh: uncachedHeaders(context) }
  const theirs = (/** @type {string} */ origin) => ({ origin, path: '/rows', fresh: {} })
  const watched = {
    lists: () => probed(ours, seconds, [watchHot, watchChanges]),
    rows: () => probed(theirs(bare.express), seconds, [watchRows]),
    order: () => probed(theirs(bare.publication), seconds, [watchRows]),
    // Searches have rounds of their own: searching again and again is a load that would slow the
    // lists.
    search: () => probed(ours, seconds, [watchFound]),
  }
  const found = await alternate(rounds, watched, under(`publish delays ${work}`)).finally(() =>
    over.abort(),
  )
  refuseFailures(await loaded)
  await untilDrained(forum)
  const { lists = [], search = [] } = found
  const places = /** @type {const} */ ([
    ['in the hot feed of its community', lists.map(([hot = []]) => hot), reach.hot],
    ['in /changes', lists.map(([, changes = []]) => changes), reach.changes],
    ['searchable', search.map(([found = []]) => found), reach.searchable],
  ])
  const beside = /** @type {const} */ ([
    ['one INSERT → one SELECT of bare Express', found.rows],
    ['row, event, stream, order → one SELECT of one process', found.order],
  ])
  return [
    ...places.map(([place, delays, most]) =>
      delayLine(`publish → ${place}, ${work}`, delays, most),
    ),
    ...beside.map(([way, rounds = []]) =>
      delayLine(
        `${way}, beside it, ${work}`,
        rounds.map(([delays = []]) => delays),
      ),
    ),
  ]
}

/**
 * Publishes posts while watchers look for them, until every watcher has seen all of them or the
 * time is up.
 *
 * @param {Place} place
 * @param {number} seconds
 * @param {Watch[]} watchers
 * @returns {Promise<number[][]>} the delays of each watcher in ms, infinite for a post it never
 *   saw
 */
async function probed(place, seconds, watchers) {
  const { origin, fresh } = place
  const pool = new Pool(origin, { connections: 8, pipelining: 1 })
  const over = new AbortController()
  const word = newWord()
  const sight = { ask: askBy(pool), word, fresh, signal: over.signal }
  const watching = watchers.map((watch) => {
    const seen = /** @type {Map<string, number>} */ (new Map())
    // Every id is noted, because a post may be in a list before its writer has the answer.
    const note = (/** @type {string} */ id) => void (seen.has(id) || seen.set(id, Date.now()))
    return { seen, done: watch({ ...sight, note }) }
  })
  /** @type {{ id: string, at: number }[]} `at` is when it was published */
  const probes = []
  const load = { origin, rate: PROBES_PER_SECOND, seconds }
  const published = await openLoop(load, probesOf(place, word), (text, status) => {
    if (status !== '201') return
    const { post } = JSON.parse(text)
    probes.push({ id: post.id, at: Date.parse(post.created_at) })
  })
  refuseFailures(published)
  const deadline = Date.now() + GIVE_UP_MS
  const isMissing = () => probes.some(({ id }) => watching.some(({ seen }) => !seen.has(id)))
  while (isMissing() && Date.now() < deadline) await sleep(LIST_POLL_MS)
  over.abort()
  await Promise.all(watching.map(({ done }) => done))
  await pool.close()
  return watching.map(({ seen }) =>
    probes.map(({ id, at }) => Math.max(0, (seen.get(id) ?? Number.POSITIVE_INFINITY) - at)),
  )
}

/** A word that no other text contains. */
function newWord() {
  return `probe${randomUUID().replaceAll('-', '')}`
}

/**
 * @param {Place} place
 * @param {string} word
 * @returns {() => import('../load/closed-loop.mjs').Ask}
 */
function probesOf({ path, fresh }, word) {
  const headers = { ...fresh, 'content-type': 'application/json' }
  const body = JSON.stringify({
    kind: 'result',
    title: `Delay of ${word}`,
    body_md: 'When a new post is seen, and where, measured from its publication on.',
  })
  return () => ({ method: 'POST', path, headers, body })
}

/**
 * @typedef {object} Sight
 * @property {(path: string, headers?: Record<string, string>) => Promise<any>} ask
 * @property {Record<string, string>} fresh headers for an answer that nobody kept
 * @property {string} word is in the probes and in no other text
 * @property {(id: string) => void} note that a post was seen
 * @property {AbortSignal} signal
 */
/** @typedef {(sight: Sight) => Promise<void>} Watch ends when `signal` is aborted */

/**
 * @param {Pool} pool
 * @returns {Sight['ask']}
 */
function askBy(pool) {
  return async (path, headers = {}) => {
    const { text } = await exchange(pool, { method: 'GET', path, headers })
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** @type {Watch} */
async function watchHot({ ask, note, signal }) {
  while (!signal.aborted) {
    const page = await ask(`/api/v1/feed?sort=hot&fields=ids&limit=20&community=${COMMUNITY}`)
    for (const { id } of page?.items ?? []) note(id)
    await sleep(LIST_POLL_MS)
  }
}

/** @type {Watch} */
async function watchRows({ ask, note, signal }) {
  while (!signal.aborted) {
    const page = await ask('/rows')
    for (const { id } of page?.items ?? []) note(id)
    await sleep(LIST_POLL_MS)
  }
}

/** @type {Watch} */
async function watchChanges({ ask, note, signal }) {
  let cursor = 'now'
  while (!signal.aborted) {
    const page = await ask(`/api/v1/changes?after=${cursor}&limit=500&types=post.published`)
    for (const item of page?.items ?? []) note(item.target_id)
    cursor = page?.next_cursor ?? cursor
    await sleep(LIST_POLL_MS)
  }
}

/** @type {Watch} */
async function watchFound({ ask, fresh, word, note, signal }) {
  const path = `/api/v1/search?q=${word}&sort=new&limit=${SEARCH_LIMIT}`
  while (!signal.aborted) {
    const page = await ask(path, fresh)
    for (const { id } of page?.items ?? []) note(id)
    await sleep(SEARCH_POLL_MS)
  }
}

/**
 * @param {string} work
 * @param {readonly number[][]} rounds the delays of each round
 * @param {number} [most] ms
 */
function delayLine(work, rounds, most) {
  const sorted = rounds.map((delays) => [...delays].sort((a, b) => a - b))
  const tails = sorted.map((delays) => percentile(delays, 0.99))
  const { median } = spreadOf(sorted.map((delays) => percentile(delays, 0.5)))
  const all = rounds.flat()
  const never = all.filter((delay) => !Number.isFinite(delay)).length
  return lineOf(work, 'p99 ms', tails, {
    baseline: `median ${median}, ${all.length} probes${never ? `, ${never} never` : ''}`,
    ...(most === undefined ? {} : { reach: atMost(most) }),
  })
}
