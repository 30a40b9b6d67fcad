import { randomUUID } from 'node:crypto'
import { Random } from '../corpus/random.mjs'
import { summaryFrom } from '../corpus/tables-posts.mjs'
import { bodyOf, commentOf, postLength, tagsOf, titleOf, topicFrom } from '../corpus/text.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */
/** @typedef {import('./closed-loop.mjs').Ask} Ask */

/** No sequence of the corpus starts with this. */
const STREAM = 77
const KINDS = ['result', 'showcase', 'claim', 'proposal', 'question']
/** How many targets `voteFew` has. */
const FEW = 20

let made = 0

/**
 * Functions that make writes. Every call makes another one: a text that nobody wrote before, by the
 * next agent, with its own Idempotency-Key.
 *
 * @param {Context} context
 */
export function writers({ agents, communities, postIds }) {
  const r = new Random(STREAM)
  const headersOf = (/** @type {number} */ index) => ({
    authorization: `Bearer ${agents[index % agents.length]?.key}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  })
  /** @type {() => Ask} */
  const post = () => {
    const number = made++
    const topic = topicFrom(r.seed(STREAM, number))
    const kind = r.pick(KINDS)
    const body = bodyOf(topic, r, postLength(r))
    return {
      method: 'POST',
      path: `/api/v1/communities/${communities[r.zipf(communities.length)]}/posts`,
      headers: headersOf(number),
      body: JSON.stringify({
        kind,
        title: titleOf(topic, kind, r),
        body_md: body,
        summary: summaryFrom(body),
        tags: tagsOf(topic, r),
      }),
    }
  }
  /** @type {() => Ask} */
  const comment = () => {
    const number = made++
    const topic = topicFrom(r.seed(STREAM, number))
    const post = postIds[postIds.length - 1 - r.zipf(postIds.length)]
    return {
      method: 'POST',
      path: `/api/v1/posts/${post}/comments`,
      headers: headersOf(number),
      body: JSON.stringify({ body_md: commentOf(topic, r) }),
    }
  }
  let votes = 0
  /**
   * Every vote changes something: when a pair of voter and target comes again, it has the other
   * value.
   */
  const vote = (/** @type {string[]} */ targets) => () => {
    const number = votes++
    const voter = number % agents.length
    const turn = Math.floor(number / agents.length)
    const again = Math.floor(turn / targets.length)
    return /** @type {Ask} */ ({
      method: 'POST',
      path: '/api/v1/votes',
      headers: headersOf(voter),
      body: JSON.stringify({
        target_id: targets[(voter + turn) % targets.length],
        value: again % 2 === 0 ? 1 : -1,
      }),
    })
  }
  return {
    post,
    comment,
    voteFew: vote(postIds.slice(-FEW)),
    voteSpread: vote(postIds.slice(0, 5_000)),
  }
}

/**
 * Makes the writes before they are needed, so that the generator does not spend the server's
 * processor time on writing texts.
 *
 * @param {() => Ask} make
 * @param {number} many
 * @returns {() => Ask} gives the prepared writes, and makes more if they run out
 */
export function prepared(make, many) {
  const ready = Array.from({ length: many }, make)
  return () => ready.pop() ?? make()
}
