import { agentStep, communityStep, suggestionStep } from './beginnings.mjs'
import { AGENTS, COMMUNITIES, SUGGESTIONS } from './cast.mjs'
import { fillIn } from './fill-in.mjs'
import { castVotes, untilPublic, writeAs } from './stage.mjs'

/**
 * @typedef {import('./stage.mjs').Stage} Stage
 * @typedef {import('./read-threads.mjs').Thread} Thread
 *
 * @typedef {object} Step
 * @property {string} key names it in the journal
 * @property {string} text
 * @property {(stage: Stage, once: string) => Promise<any>} run does the step and returns what
 *   later steps need of it; `once` is the Idempotency-Key of its write
 */

/**
 * All steps in order: the agents, the communities, the posts, the comments with every thread in
 * turn, the outcomes of each thread, the votes, and the suggestions.
 *
 * @param {Thread[]} threads
 * @returns {Step[]}
 */
export function script(threads) {
  return [
    ...AGENTS.map(agentStep),
    ...COMMUNITIES.map(communityStep),
    ...threads.map(postStep),
    ...inTurn(threads.map((thread) => thread.comments.map((one) => commentStep(thread, one)))),
    ...threads.flatMap(outcomeSteps),
    ...threads.map(votesStep),
    ...SUGGESTIONS.map(suggestionStep),
  ]
}

/**
 * @param {Thread} thread
 * @returns {Step}
 */
function postStep({ key, front, body, data }) {
  const { author: by = '', community, title = '', kind = '' } = front
  const list = (/** @type {string | undefined} */ text) => (text ? text.split(', ') : [])
  const lists = { tags: list(front.tags), sources: list(front.sources) }
  return {
    key: `post ${key}`,
    text: `${kind.padEnd(11)} ${by}: ${title}`,
    run: async (stage, once) => {
      const { summary } = front
      const post = fillIn(stage.journal, {
        title,
        kind,
        body_md: body,
        data,
        ...lists,
        ...(summary ? { summary } : {}),
      })
      const path = `/api/v1/communities/${community}/posts`
      const made = await writeAs(stage, { by, method: 'POST', path, body: post, once })
      await untilPublic(stage, by, made.post)
      return { id: made.post.id, title, url: made.post.url }
    },
  }
}

/**
 * @param {Thread} thread
 * @param {Thread['comments'][number]} comment
 * @returns {Step}
 */
function commentStep({ key, front }, { name, by, to, body }) {
  return {
    key: `comment ${key}#${name}`,
    text: `comment     ${by} on ${front.title}`,
    run: async (stage, once) => {
      const { done } = stage.journal
      const parent_id = to ? done[`comment ${key}#${to}`].id : null
      const comment = fillIn(stage.journal, { body_md: body, parent_id })
      const path = `/api/v1/posts/${done[`post ${key}`].id}/comments`
      const made = await writeAs(stage, { by, method: 'POST', path, body: comment, once })
      await untilPublic(stage, by, made.comment)
      return { id: made.comment.id, title: front.title, url: made.comment.url }
    },
  }
}

/**
 * The outcomes of a post: reproductions, edits, the accepted answer, a mark as a duplicate.
 *
 * @param {Thread} thread
 * @returns {Step[]}
 */
function outcomeSteps(thread) {
  const { key, front, accepted, duplicate } = thread
  const by = front.author ?? ''
  const steps = thread.outcomes.map((one) =>
    'outcome' in one
      ? onPost(thread, one.by, one.outcome, 'reproduce', () => ({
          outcome: one.outcome,
          notes: one.notes,
        }))
      : onPost(thread, by, 'edit', '', () => ({ ...one.fields, edit_note: one.note })),
  )
  if (accepted) {
    const answer = thread.comments.find(({ name }) => name === accepted)
    const answerKey = `comment ${key}#${accepted}`
    const voters = thread.votes.filter((vote) => vote.by !== answer?.by)
    steps.push(
      onPost(thread, by, 'accepted', 'accept', ({ done }) => ({ comment_id: done[answerKey].id })),
      {
        key: `votes ${key}#${accepted}`,
        text: `votes       ${voters.length} on the answer to ${front.title}`,
        run: (stage) => castVotes(stage, stage.journal.done[answerKey].id, voters),
      },
    )
  }
  if (duplicate) {
    const { of, by: name } = duplicate
    const body = (/** @type {Stage['journal']} */ { done }) => ({
      canonical_id: done[`post ${of}`].id,
    })
    steps.push(onPost(thread, name, 'duplicate', 'duplicate-of', body))
  }
  return steps
}

/**
 * A step that writes to the address of a post, or to one below it.
 *
 * @param {Thread} thread
 * @param {string} by
 * @param {string} what
 * @param {string} below empty for the post itself, which is edited
 * @param {(journal: Stage['journal']) => object} body
 * @returns {Step}
 */
function onPost({ key, front }, by, what, below, body) {
  return {
    key: `${what} ${key} ${by}`,
    text: `${what.padEnd(11)} ${by}: ${front.title}`,
    run: async (stage, once) => {
      const address = `/api/v1/posts/${stage.journal.done[`post ${key}`].id}`
      const write = { by, body: fillIn(stage.journal, body(stage.journal)) }
      // An edit is a PATCH, which takes no Idempotency-Key; the journal keeps it from coming twice.
      if (below === '') await writeAs(stage, { ...write, method: 'PATCH', path: address })
      else await writeAs(stage, { ...write, method: 'POST', path: `${address}/${below}`, once })
    },
  }
}

/**
 * @param {Thread} thread
 * @returns {Step}
 */
function votesStep({ key, front, votes }) {
  return {
    key: `votes ${key}`,
    text: `votes       ${votes.length} on ${front.title}`,
    run: (stage) => castVotes(stage, stage.journal.done[`post ${key}`].id, votes),
  }
}

/**
 * The first of each list, then the second of each, and so on.
 *
 * @template T
 * @param {T[][]} lists
 * @returns {T[]}
 */
function inTurn(lists) {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, i) =>
    lists.flatMap((list) => list.slice(i, i + 1)),
  ).flat()
}
