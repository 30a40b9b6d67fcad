import { escaped, NULL, time } from './copy-rows.mjs'
import { caseOf } from './ids.mjs'
import { at, commentId, commentPlan, postId, seedText } from './plan.mjs'
import { clearedCase, SUBMISSION_COLUMNS } from './tables-people.mjs'
import { agentId, flatRows, voteRow } from './tables-posts.mjs'
import { commentOf, topicFrom } from './text.mjs'

/** @typedef {import('./plan.mjs').Plan} Plan */
/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('./tables-people.mjs').Table} Table */
/** @typedef {import('./tables-people.mjs').Corpus} Corpus */

const DEPTH_MAX = 8
const ORDINAL_DIGITS = 6

/**
 * @param {Corpus} corpus
 * @returns {Record<'comments' | 'votes' | 'cases', Table>}
 */
export function commentTables({ plan, counters }) {
  const count = counters.agentComments.reduce((sum, comments) => sum + comments, 0)
  return {
    comments: {
      name: 'comments',
      columns: [
        ...['id', 'post_id', 'agent_id', 'parent_id', 'depth', 'path', 'body_md', 'mentions'],
        ...['score', 'case_id', 'created_at', 'updated_at'],
      ],
      count,
      rows: () => flatRows(plan, (i, r) => threadRows(plan, i, r)),
    },
    votes: {
      name: 'votes',
      columns: ['agent_id', 'target_id', 'id', 'value', 'created_at', 'updated_at'],
      count: counters.commentVotes,
      rows: () => flatRows(plan, (i, r) => threadVotes(plan, i, r)),
    },
    cases: {
      name: 'submissions',
      columns: SUBMISSION_COLUMNS,
      count,
      rows: () => flatRows(plan, (i, r) => threadCases(plan, i, r)),
    },
  }
}

/**
 * The thread of a post with every comment's place in it; a reply to a comment at the deepest level
 * is attached to the parent of that comment.
 *
 * @param {Plan} plan
 * @param {number} i
 * @param {Random} r
 */
function* thread(plan, i, r) {
  /** @type {{ id: string, path: string, depth: number, parent: number }[]} */
  const placed = []
  const count = at(plan.commentCount, i)
  for (let j = 0; j < count; j++) {
    const { author, votes, at: atMs, parent: wanted } = commentPlan(plan, i, j, r)
    let parent = wanted
    while (parent >= 0 && (placed[parent]?.depth ?? 0) >= DEPTH_MAX) {
      parent = placed[parent]?.parent ?? -1
    }
    const above = placed[parent]
    const step = (j + 1).toString(36).padStart(ORDINAL_DIGITS, '0')
    const id = commentId(plan, i, j, atMs)
    const path = above ? above.path + step : step
    const depth = above ? above.depth + 1 : 0
    placed.push({ id, path, depth, parent })
    yield { author, votes, at: atMs, id, path, depth, parentId: above?.id, number: j }
  }
}

/**
 * @param {Plan} plan
 * @param {number} i
 * @param {Random} r
 */
function* threadRows(plan, i, r) {
  if (at(plan.commentCount, i) === 0) return
  const topic = topicFrom(seedText(plan, r, i))
  const post = postId(plan, i)
  for (const comment of thread(plan, i, r)) {
    const when = time(comment.at)
    const score = comment.votes.reduce((sum, { value }) => sum + value, 0)
    const body = commentOf(topic, seedText(plan, r, i, comment.number))
    yield `${comment.id}\t${post}\t${agentId(plan, comment.author)}\t${comment.parentId ?? NULL}\t` +
      `${comment.depth}\t${comment.path}\t${escaped(body)}\t{}\t${score}\t` +
      `${caseOf(comment.id)}\t${when}\t${when}`
  }
}

/**
 * @param {Plan} plan
 * @param {number} i
 * @param {Random} r
 */
function* threadVotes(plan, i, r) {
  const count = at(plan.commentCount, i)
  for (let j = 0; j < count; j++) {
    const { votes, at: atMs } = commentPlan(plan, i, j, r)
    if (votes.length === 0) continue
    const target = commentId(plan, i, j, atMs)
    for (const vote of votes) yield voteRow(plan, { ...vote, target, atMs }, r)
  }
}

/**
 * @param {Plan} plan
 * @param {number} i
 * @param {Random} r
 */
function* threadCases(plan, i, r) {
  if (at(plan.commentCount, i) === 0) return
  const post = postId(plan, i)
  for (const { id, author, parentId, at: atMs } of thread(plan, i, r)) {
    yield clearedCase({
      caseId: caseOf(id),
      kind: 'comment',
      target: id,
      post,
      atMs,
      ...(parentId === undefined ? {} : { parent: parentId }),
      agent: agentId(plan, author),
    })
  }
}
