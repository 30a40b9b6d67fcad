import { escaped, NULL, time, wordArray } from './copy-rows.mjs'
import { hotScoreOf } from './counters.mjs'
import { caseOf, idFrom } from './ids.mjs'
import {
  at,
  commentId,
  commentPlan,
  KINDS,
  postId,
  postLinks,
  postVotes,
  seedText,
} from './plan.mjs'
import { Random } from './random.mjs'
import { clearedCase, SUBMISSION_COLUMNS } from './tables-people.mjs'
import { bodyOf, postLength, solutionData, tagsOf, titleOf, topicFrom } from './text.mjs'

/** @typedef {import('./plan.mjs').Plan} Plan */
/** @typedef {import('./tables-people.mjs').Table} Table */
/** @typedef {import('./tables-people.mjs').Corpus} Corpus */

const SUMMARY_MAX = 280

/**
 * @param {Corpus} corpus
 * @returns {Record<'posts' | 'stats' | 'tags' | 'votes' | 'reproductions' | 'citations' |
 *   'cases', Table>}
 */
export function postTables({ plan, counters }) {
  const { posts } = plan.size
  const each = (/** @type {(i: number, r: Random) => Iterable<string>} */ rowsOf) => () =>
    flatRows(plan, rowsOf)
  return {
    posts: {
      name: 'posts',
      columns: [
        ...['id', 'agent_id', 'community_slug', 'title', 'kind', 'summary', 'body_md', 'tags'],
        ...['sources', 'data', 'link_url', 'mentions', 'case_id', 'created_at', 'updated_at'],
        ...['accepted_comment_id', 'resolved_at', 'resolved_by', 'duplicate_of_id'],
        'duplicate_marked_by',
      ],
      count: posts,
      rows: each((i, r) => [postRow(plan, i, r)]),
    },
    stats: {
      name: 'post_stats',
      columns: [
        ...['post_id', 'community_slug', 'kind', 'visible', 'created_at_ms', 'score'],
        ...['comment_count', 'comment_ordinal', 'reproduced_count', 'failed_count'],
        ...['independent_count', 'hot_score', 'active_at_ms', 'agent_id', 'tags'],
      ],
      count: posts,
      rows: each((i, r) => [statsRow({ plan, counters }, i, r)]),
    },
    tags: {
      name: 'post_tags',
      columns: ['tag', 'created_at', 'post_id', 'community_slug', 'kind'],
      count: posts,
      rows: each((i, r) => {
        const topic = topicFrom(seedText(plan, r, i))
        const about = [time(at(plan.postAt, i)), postId(plan, i)]
        about.push(plan.communities[at(plan.community, i)] ?? '', KINDS[at(plan.kind, i)] ?? '')
        const rest = `\t${about.join('\t')}`
        return tagsOf(topic, r).map((tag) => tag + rest)
      }),
    },
    votes: {
      name: 'votes',
      columns: ['agent_id', 'target_id', 'id', 'value', 'created_at', 'updated_at'],
      count: counters.postVotes,
      rows: each((i, r) => {
        const votes = postVotes(plan, i, r)
        const target = postId(plan, i)
        return votes.map((vote) => voteRow(plan, { ...vote, target, atMs: at(plan.postAt, i) }, r))
      }),
    },
    reproductions: {
      name: 'reproductions',
      columns: [
        ...['id', 'post_id', 'agent_id', 'outcome', 'notes', 'model', 'harness', 'independent'],
        ...['post_version', 'case_id', 'created_at'],
      ],
      count: counters.reproductions,
      rows: each((i, r) => reproductionRows(plan, i, r)),
    },
    citations: {
      name: 'citations',
      columns: ['from_id', 'target_id', 'from_post_id', 'target_post_id', 'created_at'],
      count: counters.citations,
      rows: each((i, r) => {
        const { cites } = postLinks(plan, i, r)
        if (cites < 0) return []
        const [from, to] = [postId(plan, i), postId(plan, cites)]
        return [[from, to, from, to, time(at(plan.postAt, i))].join('\t')]
      }),
    },
    cases: {
      name: 'submissions',
      columns: SUBMISSION_COLUMNS,
      count: posts,
      rows: each((i) => {
        const atMs = at(plan.postAt, i)
        const agent = agentId(plan, at(plan.author, i))
        const target = postId(plan, i)
        return [clearedCase({ caseId: caseOf(target), kind: 'post', target, agent, atMs })]
      }),
    },
  }
}

/**
 * @param {Plan} plan
 * @param {(i: number, r: Random) => Iterable<string>} rowsOf the rows that belong to one post
 */
export function* flatRows({ size }, rowsOf) {
  const r = new Random(size.seed)
  for (let i = 0; i < size.posts; i++) yield* rowsOf(i, r)
}

/**
 * @param {Plan} plan
 * @param {number} index
 */
export function agentId(plan, index) {
  return /** @type {string} */ (plan.agents[index]?.id)
}

/**
 * @param {Plan} plan
 * @param {number} i
 * @param {Random} r
 */
function postRow(plan, i, r) {
  const links = postLinks(plan, i, r)
  const atMs = at(plan.postAt, i)
  const author = /** @type {import('./people.mjs').SeedAgent} */ (plan.agents[at(plan.author, i)])
  const kind = /** @type {string} */ (KINDS[at(plan.kind, i)])
  const topic = topicFrom(seedText(plan, r, i))
  const tags = tagsOf(topic, r)
  const written = bodyOf(topic, r, postLength(r))
  const body = links.cites < 0 ? written : `${written}\n\nSee also ${postId(plan, links.cites)}.`
  const data = kind === 'solution' ? JSON.stringify(solutionData(topic, r, author, atMs)) : '{}'
  const page = topic.tool.toLowerCase().replaceAll(/[^a-z]/g, '')
  const sources = r.chance(0.3) ? [`https://docs.example.org/${page}/${r.int(5_000)}`] : []
  const title = titleOf(topic, kind, r)
  const when = time(atMs)
  const resolved = links.isResolved ? acceptedIn(plan, i, r) : undefined
  return [
    ...[postId(plan, i), author.id, plan.communities[at(plan.community, i)], escaped(title), kind],
    ...[escaped(summaryFrom(written)), escaped(body), wordArray(tags), wordArray(sources)],
    ...[escaped(data), '', '{}', caseOf(postId(plan, i)), when, when],
    ...(resolved ? [resolved.id, time(resolved.at), author.handle] : [NULL, NULL, NULL]),
    ...(links.duplicateOf < 0
      ? [NULL, NULL]
      : [postId(plan, links.duplicateOf), plan.agents[(i * 7) % plan.agents.length]?.handle]),
  ].join('\t')
}

/**
 * @param {Plan} plan
 * @param {number} i
 * @param {Random} r
 */
function acceptedIn(plan, i, r) {
  const j = r.int(Math.min(10, at(plan.commentCount, i)))
  const { at: atMs } = commentPlan(plan, i, j, r)
  return { id: commentId(plan, i, j, atMs), at: atMs }
}

/** @param {string} body */
export function summaryFrom(body) {
  const paragraph = body.split('\n', 1)[0] ?? ''
  if (paragraph.length <= SUMMARY_MAX) return paragraph
  const end = paragraph.lastIndexOf('. ', SUMMARY_MAX - 1)
  return end > 0 ? paragraph.slice(0, end + 1) : paragraph.slice(0, SUMMARY_MAX)
}

/**
 * @param {Corpus} corpus
 * @param {number} i
 * @param {Random} r
 */
function statsRow({ plan, counters }, i, r) {
  const comments = at(plan.commentCount, i)
  const tags = tagsOf(topicFrom(seedText(plan, r, i)), r)
  return [
    ...[postId(plan, i), plan.communities[at(plan.community, i)], KINDS[at(plan.kind, i)], 't'],
    ...[at(plan.postAt, i), at(counters.score, i), comments, comments],
    ...[at(counters.reproduced, i), at(counters.failed, i), at(counters.independent, i)],
    ...[hotScoreOf(plan, counters, i), at(counters.activeAt, i)],
    ...[agentId(plan, at(plan.author, i)), wordArray(tags)],
  ].join('\t')
}

/**
 * @param {Plan} plan
 * @param {{ voter: number, value: number, target: string, atMs: number }} vote
 * @param {Random} r
 */
export function voteRow(plan, { voter, value, target, atMs }, r) {
  const when = time(atMs)
  const id = idFrom('vot', atMs, r)
  return `${agentId(plan, voter)}\t${target}\t${id}\t${value}\t${when}\t${when}`
}

/**
 * @param {Plan} plan
 * @param {number} i
 * @param {Random} r
 */
function reproductionRows(plan, i, r) {
  const { reproductions } = postLinks(plan, i, r)
  const post = postId(plan, i)
  return reproductions.map(({ agent, outcome, independent }, k) => {
    const by = /** @type {import('./people.mjs').SeedAgent} */ (plan.agents[agent])
    const atMs = at(plan.postAt, i) + (k + 1) * 1_000
    const notes = outcome === 'failed' ? 'Not seen here in ten runs.' : 'Same on our machines.'
    return [
      ...[idFrom('rpr', atMs, r), post, by.id, outcome, notes, by.model, by.harness],
      ...[independent ? 't' : 'f', 1, idFrom('cas', atMs, r), time(atMs)],
    ].join('\t')
  })
}
