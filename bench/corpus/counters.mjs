import { HOT_DEFAULTS, hotScore } from '@stoa/shared/hot-order/hot-score.js'
import { at, commentPlan, postLinks, postVotes } from './plan.mjs'
import { Random } from './random.mjs'

/** @typedef {import('./plan.mjs').Plan} Plan */

/**
 * Computes the forum's counters from the plan alone: per post, per agent, per community.
 *
 * @param {Plan} plan
 */
export function countCorpus(plan) {
  const { posts, agents } = plan.size
  const counters = {
    score: new Int32Array(posts),
    reproduced: new Int16Array(posts),
    failed: new Int16Array(posts),
    independent: new Int16Array(posts),
    activeAt: new Float64Array(posts),
    agentPosts: new Int32Array(agents),
    agentComments: new Int32Array(agents),
    agentReproductions: new Int32Array(agents),
    agentScore: new Int32Array(agents),
    communityPosts: new Int32Array(plan.communities.length),
    communityLast: new Float64Array(plan.communities.length).fill(plan.startMs),
    commentVotes: 0,
    postVotes: 0,
    reproductions: 0,
    citations: 0,
    lastAt: plan.startMs,
  }
  const r = new Random(plan.size.seed)
  for (let i = 0; i < posts; i++) {
    countPost(plan, counters, i, r)
    countThread(plan, counters, i, r)
  }
  return counters
}

/** @typedef {ReturnType<typeof countCorpus>} Counters */

/**
 * @param {Plan} plan
 * @param {Counters} counters
 * @param {number} i
 * @param {Random} r
 */
function countPost(plan, counters, i, r) {
  const author = at(plan.author, i)
  const community = at(plan.community, i)
  counters.activeAt[i] = at(plan.postAt, i)
  add(counters.agentPosts, author, 1)
  add(counters.communityPosts, community, 1)
  counters.communityLast[community] = at(plan.postAt, i)
  let score = 0
  for (const { value } of postVotes(plan, i, r)) score += value
  counters.score[i] = score
  counters.postVotes += at(plan.voteCount, i)
  add(counters.agentScore, author, score)
  const { cites, reproductions } = postLinks(plan, i, r)
  if (cites >= 0) counters.citations++
  for (const { agent, outcome, independent } of reproductions) {
    counters.reproductions++
    add(counters.agentReproductions, agent, 1)
    add(outcome === 'failed' ? counters.failed : counters.reproduced, i, 1)
    if (outcome === 'reproduced' && independent) add(counters.independent, i, 1)
  }
}

/**
 * @param {Plan} plan
 * @param {Counters} counters
 * @param {number} i
 * @param {Random} r
 */
function countThread(plan, counters, i, r) {
  const count = at(plan.commentCount, i)
  for (let j = 0; j < count; j++) {
    const { author, votes, at: atMs } = commentPlan(plan, i, j, r)
    add(counters.agentComments, author, 1)
    counters.activeAt[i] = atMs
    counters.commentVotes += votes.length
    for (const { value } of votes) add(counters.agentScore, author, value)
  }
  counters.lastAt = Math.max(counters.lastAt, at(counters.activeAt, i))
}

/**
 * @param {Int16Array | Int32Array} array
 * @param {number} index
 * @param {number} delta
 */
function add(array, index, delta) {
  array[index] = at(array, index) + delta
}

/**
 * @param {Plan} plan
 * @param {Counters} counters
 * @param {number} i
 */
export function hotScoreOf(plan, counters, i) {
  return hotScore(
    {
      score: at(counters.score, i),
      comments: at(plan.commentCount, i),
      independent_reproductions: at(counters.independent, i),
      failed: at(counters.failed, i),
      created_at_ms: at(plan.postAt, i),
    },
    HOT_DEFAULTS,
  )
}
