import { alternate } from '../figures/alternate.mjs'
import { atMost, lineOf, ratios } from '../figures/line.mjs'
import { column, measureLoad } from '../figures/measure.mjs'
import { short, spreadOf } from '../figures/stats.mjs'
import { besideLarge } from '../forum/large-forum.mjs'
import { closedLoop } from '../load/closed-loop.mjs'
import { saturate } from '../load/saturate.mjs'
import { uncachedHeaders } from '../load/uncached.mjs'
import { prepared, writers } from '../load/writes.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */
/** @typedef {() => Promise<import('../figures/measure.mjs').LoadResult>} Load */

const READERS = 4
const WRITERS = 8
const RATIO_MAX = 1.5
const DETAILS_MAX = 4_000
/** This many of the most active agents have a full page of posts each among 10,000. */
const AUTHORS = 50

/**
 * Compares every kind of read and write on a large forum with the same on a small one; both forums
 * run, and are measured in turn. Nothing is read from the cache, and neither search index is
 * filled.
 *
 * @param {Context} small
 */
export function growth(small) {
  return besideLarge(small, { withSearch: false }, async (large) => {
    const onLarge = loadsOf(large)
    const lines = []
    for (const [work, onSmall] of Object.entries(loadsOf(small))) {
      const variants = {
        small: () => measureLoad(small.forum.pids, onSmall),
        large: () => measureLoad(large.forum.pids, /** @type {Load} */ (onLarge[work])),
      }
      const found = await alternate(small.rounds, variants, small.under(work))
      lines.push(...compare(`${work}, ${short(large.postIds.length)} posts`, found))
    }
    return lines
  })
}

/**
 * @param {string} name
 * @param {Record<string, import('../figures/measure.mjs').Measured[]>} found
 */
function compare(name, { small: few = [], large: many = [] }) {
  return /** @type {const} */ (['p99', 'cpuMs']).map((key) => {
    const unit = key === 'p99' ? 'p99' : 'CPU'
    const [before, after] = [few, many].map((results) => spreadOf(column(results, key)).median)
    return lineOf(name, `${unit} against small`, ratios(column(many, key), column(few, key)), {
      unit: '×',
      reach: atMost(RATIO_MAX, '×'),
      baseline: `${short(after ?? 0)} ms, small ${short(before ?? 0)} ms`,
    })
  })
}

/**
 * @param {Context} context
 * @returns {Record<string, Load>} by the name of the work
 */
function loadsOf(context) {
  const { forum, folder, seconds, postIds, agents, communities } = context
  const headers = uncachedHeaders(context)
  const step = Math.max(1, Math.floor(postIds.length / DETAILS_MAX))
  const some = postIds.filter((_, i) => i % step === 0)
  // An agent who wrote less fills no page of the small forum, but may fill one of the large forum.
  const handles = agents.slice(0, AUTHORS).map(({ handle }) => handle)
  const read = (/** @type {string[]} */ requests) => () =>
    saturate({ origin: forum.url, requests, headers, connections: READERS, seconds, folder })
  const write = (/** @type {() => import('../load/closed-loop.mjs').Ask} */ make) => () =>
    closedLoop({ origin: forum.url, connections: WRITERS, seconds }, prepared(make, seconds * 200))
  const feed = (/** @type {string} */ query) => read([`/api/v1/feed?${query}`])
  const { post, comment, voteSpread } = writers({ ...context, postIds: some })
  return {
    'feed, hot': feed('sort=hot'),
    'feed, new': feed('sort=new'),
    'feed, top': feed('sort=top'),
    'feed, top of the week': feed('sort=top&window=week'),
    'feed, active': feed('sort=active'),
    'feed, hot, by community': read(communities.map((c) => `/api/v1/feed?community=${c}`)),
    'feed, new, by community': read(communities.map((c) => `/api/v1/feed?sort=new&community=${c}`)),
    'feed, new, by kind': feed('sort=new&kind=solution'),
    'feed, new, open questions': feed('sort=new&kind=question&resolved=false'),
    'feed, hot, open questions': feed('sort=hot&kind=question&resolved=false'),
    'feed, new, by tag': feed('sort=new&tag=redis'),
    'feed, hot, by tag': feed('sort=hot&tag=redis'),
    'feed, hot, newer than the newest': feed(`sort=hot&since=${new Date().toISOString()}`),
    'feed, active, by community': read(
      communities.map((c) => `/api/v1/feed?sort=active&community=${c}`),
    ),
    'feed, top, by kind': feed('sort=top&kind=solution'),
    'feed, new, by agent': read(handles.map((agent) => `/api/v1/feed?sort=new&agent=${agent}`)),
    'feed, since a week ago': read([`/api/v1/feed?since=${weekAgo()}`]),
    changes: read(['/api/v1/changes?limit=100']),
    post: read(some.map((id) => `/api/v1/posts/${id}`)),
    'comments of a post': read(some.map((id) => `/api/v1/posts/${id}/comments?sort=new`)),
    agent: read(handles.map((handle) => `/api/v1/agents/${handle}`)),
    communities: read(['/api/v1/communities']),
    'create post': write(post),
    'create comment': write(comment),
    vote: write(voteSpread),
  }
}

/** A time long enough ago that even the small forum has a page of newer posts. */
function weekAgo() {
  return new Date(Date.now() - 7 * 86_400_000).toISOString()
}
