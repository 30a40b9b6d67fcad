import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { atMost, lineOf } from '../figures/line.mjs'
import { refuseFailures } from '../figures/measure.mjs'
import { percentile } from '../figures/stats.mjs'
import { untilDrained } from '../forum/drain.mjs'
import { closedLoop, exchange } from '../load/closed-loop.mjs'
import { openLoop } from '../load/open-loop.mjs'
import { uncachedHeaders } from '../load/uncached.mjs'
import { prepared, writers } from '../load/writes.mjs'
import { HALF_OF_REACH, halfRate } from './writes.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */
/** @typedef {{ id: string, at: number }} Probe `at` is when it was published */

const PROBES_PER_SECOND = 10
/** Ten rounds' worth of probes make a 99th percentile of a hundred. */
const SECONDS_MIN = 10
/** A poll of the change log is a request to content: more often, and the watching is the load. */
const LIST_POLL_MS = 5
/**
 * A search costs as much as two posts, so a single one asks for all probes, ten times a second, and they
 * come more rarely: as many as fit its page are the probes of five seconds.
 */
const SEARCH_POLL_MS = 100
const SEARCHED_PER_SECOND = 5
const GIVE_UP_MS = 15_000
/** Services that have just started take half as many posts: half of that would be no load. */
const WARM_SECONDS = 10
const COMMUNITY = 'general'
/** Milliseconds, at half load. */
const REACH = { hot: 30, changes: 30, searchable: 1_000 }

/**
 * How long after its publication a post is in the hot feed of its community, in the change log and
 * in the search results, while posts arrive at half the rate the forum can take, and at half the rate
 * it is asked to take.
 *
 * @param {Context} context
 */
export async function publishDelays(context) {
  const { forum, rounds, seconds, show } = context
  const { post } = writers(context)
  const origin = forum.url
  const fill = async (/** @type {number} */ lasting) => {
    const load = { origin, connections: 32, seconds: lasting }
    const result = await closedLoop(load, prepared(post, lasting * 600))
    refuseFailures(result)
    return result
  }
  show(0, 1, 'publish delays: finding half load')
  await fill(WARM_SECONDS)
  const full = await fill(Math.min(3, seconds))
  await untilDrained(forum)
  const lasting = Math.max(SECONDS_MIN, rounds * seconds)
  const lines = []
  for (const [rate, reach] of /** @type {const} */ ([
    [halfRate([full]), REACH],
    [HALF_OF_REACH, undefined],
  ])) {
    show(0, 1, `publish delays: watching at ${rate.toFixed(0)} posts/s`)
    const over = new AbortController()
    const background = openLoop(
      { origin, rate, seconds: 3 * lasting + 20, until: over.signal },
      prepared(post, Math.ceil(rate * 3 * lasting)),
    )
    const lists = await watchLists(context, lasting)
    // Apart: searching for posts again and again is a load that lists would be measured under.
    const searchable = await watchSearch(context, lasting)
    over.abort()
    await background
    await untilDrained(forum)
    lines.push(...linesOf({ ...lists, searchable }, rate, reach))
  }
  return lines
}

/**
 * @param {Context} context
 * @param {number} lasting seconds
 */
async function watchLists(context, lasting) {
  const { pool, ask, headers } = client(context)
  const done = new AbortController()
  // Whatever comes is noted: a post may be in a list before its writer has the answer.
  const hot = /** @type {Map<string, number>} */ (new Map())
  const changes = /** @type {Map<string, number>} */ (new Map())
  const noteIn = (/** @type {Map<string, number>} */ seen) => (/** @type {string[]} */ ids) => {
    for (const id of ids) if (!seen.has(id)) seen.set(id, Date.now())
  }
  const watchers = [
    watchHot(ask, noteIn(hot), done.signal),
    watchChanges(ask, noteIn(changes), done.signal),
  ]
  /** @type {Probe[]} */
  const probes = []
  const rate = { word: newWord(), perSecond: PROBES_PER_SECOND, lasting }
  await publishProbes(pool, headers, rate, (probe) => probes.push(probe))
  const deadline = Date.now() + GIVE_UP_MS
  const isMissing = () => probes.some(({ id }) => !hot.has(id) || !changes.has(id))
  while (isMissing() && Date.now() < deadline) await sleep(LIST_POLL_MS)
  done.abort()
  await Promise.all(watchers)
  await pool.close()
  return { hot: delaysIn(hot, probes), changes: delaysIn(changes, probes) }
}

/**
 * @param {Context} context
 * @param {number} lasting seconds
 */
async function watchSearch(context, lasting) {
  const { pool, ask, headers } = client(context)
  const rate = { word: newWord(), perSecond: SEARCHED_PER_SECOND, lasting: 2 * lasting }
  const seen = /** @type {Map<string, number>} */ (new Map())
  const done = new AbortController()
  const watching = watchFound((path) => ask(path, headers), rate.word, seen, done.signal)
  /** @type {Probe[]} */
  const probes = []
  await publishProbes(pool, headers, rate, (probe) => probes.push(probe))
  const deadline = Date.now() + GIVE_UP_MS
  while (probes.some(({ id }) => !seen.has(id)) && Date.now() < deadline)
    await sleep(SEARCH_POLL_MS)
  done.abort()
  await watching
  await pool.close()
  return delaysIn(seen, probes)
}

/**
 * @param {Map<string, number>} seen when, by id
 * @param {Probe[]} probes
 * @returns {number[]} ms; infinite for what was never seen
 */
function delaysIn(seen, probes) {
  return probes.map(({ id, at }) => Math.max(0, (seen.get(id) ?? Number.POSITIVE_INFINITY) - at))
}

/** A word that stands nowhere else. */
function newWord() {
  return `probe${randomUUID().replaceAll('-', '')}`
}

/** @param {Context} context */
function client(context) {
  const pool = new Pool(context.forum.url, { connections: 64, pipelining: 1 })
  const headers = { ...uncachedHeaders(context), 'content-type': 'application/json' }
  const ask = async (/** @type {string} */ path, given = {}) => {
    const { text } = await exchange(pool, { method: 'GET', path, headers: given })
    return text === '' ? undefined : JSON.parse(text)
  }
  return { pool, ask, headers }
}

/**
 * @param {Pool} pool
 * @param {Record<string, string>} headers
 * @param {{ word: string, perSecond: number, lasting: number }} rate lasting so many seconds
 * @param {(probe: Probe) => void} onPublished
 */
async function publishProbes(pool, headers, { word, perSecond, lasting }, onPublished) {
  for (let i = 0; i < lasting * perSecond; i++) {
    const nextAt = performance.now() + 1_000 / perSecond
    const probe = await publishProbe(pool, headers, word)
    if (probe) onPublished(probe)
    await sleep(Math.max(0, nextAt - performance.now()))
  }
}

/**
 * @param {Pool} pool
 * @param {Record<string, string>} headers
 * @param {string} word
 * @returns {Promise<Probe | null>}
 */
async function publishProbe(pool, headers, word) {
  const { status, text } = await exchange(pool, {
    method: 'POST',
    path: `/api/v1/communities/${COMMUNITY}/posts`,
    headers,
    body: JSON.stringify({
      ...{ kind: 'result', title: `Delay of ${word}` },
      body_md: 'When a new post is seen, and where, measured from its publication on.',
    }),
  })
  if (status !== '201') return null
  const { post } = JSON.parse(text)
  return { id: post.id, at: Date.parse(post.created_at) }
}

/** @typedef {(path: string, headers?: Record<string, string>) => Promise<any>} AskFor */

/**
 * @param {AskFor} ask
 * @param {(ids: string[]) => void} see
 * @param {AbortSignal} signal
 */
async function watchHot(ask, see, signal) {
  while (!signal.aborted) {
    const page = await ask(`/api/v1/feed?sort=hot&fields=ids&limit=20&community=${COMMUNITY}`)
    see((page?.items ?? []).map((/** @type {{ id: string }} */ { id }) => id))
    await sleep(LIST_POLL_MS)
  }
}

/**
 * @param {AskFor} ask
 * @param {(ids: string[]) => void} see
 * @param {AbortSignal} signal
 */
async function watchChanges(ask, see, signal) {
  let cursor = 'now'
  while (!signal.aborted) {
    const page = await ask(`/api/v1/changes?after=${cursor}&limit=500&types=post.published`)
    see((page?.items ?? []).map((/** @type {{ target_id: string }} */ item) => item.target_id))
    cursor = page?.next_cursor ?? cursor
    await sleep(LIST_POLL_MS)
  }
}

/**
 * @param {AskFor} ask past the cache
 * @param {string} word
 * @param {Map<string, number>} seen
 * @param {AbortSignal} signal
 */
async function watchFound(ask, word, seen, signal) {
  while (!signal.aborted) {
    const page = await ask(`/api/v1/search?q=${word}&sort=new&fields=compact`)
    for (const { id } of page?.items ?? []) if (!seen.has(id)) seen.set(id, Date.now())
    await sleep(SEARCH_POLL_MS)
  }
}

/**
 * @param {{ hot: number[], changes: number[], searchable: number[] }} found
 * @param {number} rate
 * @param {typeof REACH} [marks]
 */
function linesOf({ hot, changes, searchable }, rate, marks) {
  const places = /** @type {const} */ ([
    ['in the hot feed of its community', hot, marks?.hot],
    ['in /changes', changes, marks?.changes],
    ['searchable', searchable, marks?.searchable],
  ])
  return places.map(([place, delays, reach]) => {
    const sorted = [...delays].sort((a, b) => a - b)
    const work = `publish → ${place}, at ${rate.toFixed(0)} posts/s`
    const median = percentile(sorted, 0.5)
    const never = delays.filter((delay) => !Number.isFinite(delay)).length
    return lineOf(work, 'p99 ms', [percentile(sorted, 0.99)], {
      baseline: `median ${median}, ${sorted.length} probes${never ? `, ${never} never` : ''}`,
      ...(reach === undefined ? {} : { reach: atMost(reach) }),
    })
  })
}
