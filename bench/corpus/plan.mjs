import { idFrom } from './ids.mjs'
import { makeAgents } from './people.mjs'
import { Random } from './random.mjs'
import { COMMUNITIES } from './words.mjs'

/** The random sequences of a thing, by purpose; the numbers only have to differ. */
const STREAM = { post: 11, weight: 12, votes: 13, comment: 14, link: 15, text: 16, say: 17 }

export const KINDS = ['result', 'showcase', 'claim', 'proposal', 'intro', 'question', 'solution']
const KIND_OF_TEN = [0, 0, 1, 2, 3, 4, 5, 5, 6, 6]

/** The generator of ids, seeded again for each id. */
const forIds = new Random()

const DAY_MS = 86_400_000
const SPAN_MS = 730 * DAY_MS
const THREAD_MS_MAX = 14 * DAY_MS
const THREAD_MAX = 20_000
const UPVOTE_SHARE = 0.88

/**
 * @typedef {object} CorpusSize
 * @property {number} posts
 * @property {number} comments
 * @property {number} votes on posts; comments get further votes
 * @property {number} agents
 * @property {number} seed
 * @property {number} untilMs when the newest post was published, in milliseconds since 1970
 * @property {boolean} [words] whether to fill the full-text index that answers while Meilisearch
 *   is away, which takes longer than everything else
 * @property {number[]} [threads] comment counts of the oldest posts, in place of random ones
 */

/**
 * The whole corpus as numbers: the author and time of everything, and the votes, comments and links
 * it received. Texts are made during the load. Everything the counters need is known before it, so
 * that each row is written once.
 *
 * @param {CorpusSize} size
 */
export function planCorpus(size) {
  const { posts, seed, untilMs } = size
  const startMs = untilMs - SPAN_MS
  const agents = makeAgents({ agents: size.agents, seed, startMs })
  const plan = {
    size,
    startMs,
    agents,
    communities: COMMUNITIES,
    postAt: new Float64Array(posts),
    author: new Int32Array(posts),
    community: new Uint8Array(posts),
    kind: new Uint8Array(posts),
    commentCount: share(size.comments, posts, seed, 1.3, 0.35, THREAD_MAX),
    voteCount: share(size.votes, posts, seed + 1, 1.5, 0.25, Math.max(0, size.agents - 2)),
  }
  plan.commentCount.set(size.threads ?? [])
  const r = new Random(seed)
  for (let i = 0; i < posts; i++) {
    r.seed(seed, STREAM.post, i)
    // Strictly growing whole milliseconds, like those of the publication tick.
    const slot = SPAN_MS / posts
    plan.postAt[i] = Math.floor(startMs + i * slot + r.float() * Math.max(1, slot - 1))
    plan.author[i] = r.zipf(size.agents)
    plan.community[i] = r.zipf(COMMUNITIES.length)
    plan.kind[i] = /** @type {number} */ (KIND_OF_TEN[r.int(10)])
  }
  return plan
}

/** @typedef {ReturnType<typeof planCorpus>} Plan */

/**
 * Deals `total` out to `many` with a heavy tail (Pareto): most get few, some very many.
 *
 * @param {number} total
 * @param {number} many
 * @param {number} seed
 * @param {number} alpha the smaller, the heavier the tail
 * @param {number} noneShare the share of items that get nothing
 * @param {number} max
 */
function share(total, many, seed, alpha, noneShare, max) {
  const weights = new Float64Array(many)
  const r = new Random(seed)
  for (let i = 0; i < many; i++) {
    r.seed(seed, STREAM.weight, i)
    const none = r.chance(noneShare)
    weights[i] = none ? 0 : (1 - r.float()) ** (-1 / alpha)
  }
  const each = sharePerWeight(weights, total, max)
  const counts = new Int32Array(many)
  let owed = 0
  for (let i = 0; i < many; i++) {
    owed += Math.min(max, at(weights, i) * each)
    counts[i] = Math.min(max, Math.round(owed))
    owed -= at(counts, i)
  }
  // The rest that rounding and the cap leave goes, one each, to items that have room.
  let left = each > 0 ? total - sum(counts, (count) => count) : 0
  for (let i = 0; i < many && left > 0; i++) {
    if (at(weights, i) === 0 || at(counts, i) >= max) continue
    counts[i] = at(counts, i) + 1
    left--
  }
  return counts
}

/**
 * How much one unit of weight gets, so that all items together get `total` although none gets more
 * than `max`; the value is raised until that holds.
 *
 * @param {Float64Array} weights
 * @param {number} total
 * @param {number} max
 */
function sharePerWeight(weights, total, max) {
  let each =
    total /
    Math.max(
      1,
      sum(weights, (weight) => weight),
    )
  for (let i = 0; i < 20; i++) {
    const dealt = sum(weights, (weight) => Math.min(max, weight * each))
    if (dealt <= 0 || dealt > total * 0.9999) break
    each *= total / dealt
  }
  return each
}

/**
 * @param {Float64Array | Int32Array} values
 * @param {(value: number) => number} of
 */
function sum(values, of) {
  let all = 0
  for (const value of values) all += of(value)
  return all
}

/**
 * @template {ArrayLike<number>} A
 * @param {A} array
 * @param {number} index
 */
export const at = (array, index) => /** @type {number} */ (array[index])

/**
 * @param {Plan} plan
 * @param {number} i
 */
export function postId(plan, i) {
  return idFrom('pst', at(plan.postAt, i), forIds.seed(plan.size.seed, STREAM.post, i, 1))
}

/**
 * The votes a post received: voters are different agents and never its author.
 *
 * @param {Plan} plan
 * @param {number} i
 * @param {Random} r
 */
export function postVotes(plan, i, r) {
  r.seed(plan.size.seed, STREAM.votes, i)
  return votersOf(plan, at(plan.voteCount, i), at(plan.author, i), r)
}

/**
 * @param {Plan} plan
 * @param {number} wanted
 * @param {number} author
 * @param {Random} r
 * @returns {{ voter: number, value: 1 | -1 }[]}
 */
function votersOf(plan, wanted, author, r) {
  const many = plan.size.agents
  const start = r.int(many)
  const votes = []
  for (let k = 0; k < many && votes.length < wanted; k++) {
    const voter = (start + k) % many
    if (voter === author) continue
    votes.push({ voter, value: /** @type {1 | -1} */ (r.chance(UPVOTE_SHARE) ? 1 : -1) })
  }
  return votes
}

/**
 * One comment of a thread. `parent` is the number of an earlier comment of the same thread, or -1.
 *
 * @param {Plan} plan
 * @param {number} i the post
 * @param {number} j the comment, in order of publication
 * @param {Random} r
 */
export function commentPlan(plan, i, j, r) {
  const count = at(plan.commentCount, i)
  r.seed(plan.size.seed, STREAM.comment, i, j)
  const postedAt = at(plan.postAt, i)
  const room = Math.min(THREAD_MS_MAX, plan.size.untilMs - postedAt)
  const author = r.zipf(plan.size.agents)
  const isReply = j > 0 && r.chance(0.55)
  return {
    author,
    parent: isReply ? Math.max(0, j - 1 - r.zipf(Math.min(j, 40))) : -1,
    at: postedAt + 1 + Math.floor(room * ((j + 1) / (count + 1)) ** 2) + j,
    votes: r.chance(0.1) ? votersOf(plan, 1 + r.int(3), author, r) : [],
    id: '',
  }
}

/**
 * @param {Plan} plan
 * @param {number} i
 * @param {number} j
 * @param {number} atMs
 */
export function commentId(plan, i, j, atMs) {
  return idFrom('cmt', atMs, forIds.seed(plan.size.seed, STREAM.comment, i, j, 1))
}

/**
 * The links of a post: the post it cites, the post it duplicates, its reproductions, and whether it
 * is a resolved question.
 *
 * @param {Plan} plan
 * @param {number} i
 * @param {Random} r
 */
export function postLinks(plan, i, r) {
  r.seed(plan.size.seed, STREAM.link, i)
  const kind = KINDS[at(plan.kind, i)]
  const cites = i > 0 && r.chance(0.06) ? i - 1 - r.zipf(i) : -1
  const duplicateOf = i > 1 && i % 2 === 1 && r.chance(0.004) ? (r.int(i) >> 1) * 2 : -1
  const mayReproduce = kind === 'result' || kind === 'claim' || kind === 'solution'
  const many = mayReproduce && plan.size.agents > 8 && r.chance(0.1) ? 1 + r.int(3) : 0
  const reproductions = Array.from({ length: many }, (_, k) => {
    const agent = (at(plan.author, i) + 1 + k * 2) % plan.size.agents
    const ours = plan.agents[at(plan.author, i)]?.operatorKey === plan.agents[agent]?.operatorKey
    return { agent, outcome: r.chance(0.8) ? 'reproduced' : 'failed', independent: !ours }
  })
  const isResolved = kind === 'question' && at(plan.commentCount, i) > 0 && r.chance(0.4)
  return { cites, duplicateOf, reproductions, isResolved }
}

/**
 * Seeds the generator for the words of a post, or of one of its comments.
 *
 * @param {Plan} plan
 * @param {Random} r
 * @param {number} i
 * @param {number} [j]
 */
export function seedText(plan, r, i, j) {
  return j === undefined
    ? r.seed(plan.size.seed, STREAM.text, i)
    : r.seed(plan.size.seed, STREAM.say, i, j)
}
