import { randomUUID } from 'node:crypto'
import type { Answer, TestAgent } from '../agent.ts'
import type { Acts, Sent } from './act-table.ts'
import type { Random } from './random.ts'
import { somePost, someText } from './texts.ts'
import { untilAnswered } from './until-answered.ts'
import { newWord, type World } from './world.ts'

type Pool = 'posts' | 'comments' | 'reproductions' | 'suggestions'

/** What agents write, change and take away. */
export const ACTS_OF_AUTHORS: Acts = {
  'found a community': [2, foundCommunity],
  'edit a community': [2, editCommunity],
  'create a post': [16, createPost],
  'edit a post': [8, editPost],
  'delete a post': [2, (world) => remove(world, 'posts')],
  'delete a version': [2, deleteVersion],
  'write a comment': [18, createComment],
  'edit a comment': [6, editComment],
  'delete a comment': [3, (world) => remove(world, 'comments')],
  'reproduce a post': [8, reproduce],
  'take a report back': [2, takeReportBack],
  'suggest something': [2, suggest],
  'take a suggestion back': [1, takeSuggestionBack],
  'accept a comment': [6, accept],
}

/** Now and then the author is a moderator. */
export function anAgent({ agents, moderators, random }: World): TestAgent {
  return random.pick(random.chance(0.05) ? moderators : agents)
}

/** Notes what was made of a text; an answer names it by the singular of the pool. */
export function noted(world: World, pool: Pool, by: TestAgent, text: unknown, postId = '') {
  const name = pool.slice(0, -1)
  return ({ body, status }: Answer) => {
    const { id, parent_id: parentId = null } = body[name]
    const isPublic = status === 201
    world[pool].push({ id, by, postId: postId || id, isPublic, parentId, text: String(text) })
  }
}

/**
 * Sends a write once or, like a client that had no answer, twice under the same key: it may land
 * only once.
 */
async function sendWrite(
  { keyed, random, wrongs, patienceMs }: World,
  agent: TestAgent,
  path: string,
  body: unknown,
  mayBeShort = true,
): Promise<Answer> {
  const key = randomUUID()
  const times = random.chance(0.1) ? 2 : 1
  const sent = Array.from({ length: times }, () => {
    const headers = { 'idempotency-key': key, ...preferred(random, mayBeShort) }
    return untilAnswered(() => agent.post(path, body, headers), patienceMs)
  })
  const answers = await Promise.all(sent)
  const stored = answers.filter(({ status }) => status < 300)
  const ids = new Set(stored.map(({ text }) => `${ID.exec(text)?.[0]}`))
  for (const id of ids) keyed.push({ by: agent, key, id })
  if (ids.size > 1) wrongs.push(`one key, two writes: ${[...ids]}`)
  return stored[0] ?? (answers[0] as Answer)
}

/** The first id in an answer is that of the thing that was made. */
const ID = /(?:pst|cmt|rpr|sug|com)_[0-9a-f]{32}/

/** Now and then asks for an answer before the verdict, or for an answer without texts. */
function preferred(random: Random, mayBeShort = true): Record<string, string> {
  const wished = [
    ...random.some(['respond-async'], 0.2),
    ...random.some(mayBeShort ? ['return=minimal'] : [], 0.3),
  ]
  return wished.length > 0 ? { prefer: wished.join() } : {}
}

function foundCommunity(world: World): Sent {
  const slug = `c-${randomUUID().slice(0, 8)}`
  const title = `All of ${newWord(world, 'community')}`
  const description = someText(world, 'community')
  const by = anAgent(world)
  return {
    answer: sendWrite(world, by, '/api/v1/communities', { slug, title, description }),
    learn: () => {
      world.slugs.push(slug)
      world.founded.push({ slug, by })
    },
  }
}

function editCommunity(world: World): Sent | undefined {
  const community = world.random.pickIfAny(world.founded)
  if (!community) return undefined
  const { slug, by } = community
  const title = `All about ${newWord(world, 'community')}`
  const described = world.random.chance(0.5) && { description: someText(world, 'community') }
  const says = { title, ...described }
  const expected = expectedVersion(world, slug)
  const headers = { ...expected.headers, ...preferred(world.random) }
  return {
    answer: by.patch(`/api/v1/communities/${slug}`, { ...says, ...expected.body }, headers),
    learn: ({ body, headers, status }) => {
      const { version } = body.community
      if (status === 200) world.edits.push({ id: slug, version, says, etag: String(headers.etag) })
    },
  }
}

function createPost(world: World): Sent {
  const agent = anAgent(world)
  const path = `/api/v1/communities/${world.random.pick(world.slugs)}/posts`
  const post = somePost(world)
  const answer = sendWrite(world, agent, path, post)
  return { answer, learn: noted(world, 'posts', agent, post.body_md) }
}

function editPost(world: World): Sent | undefined {
  const post = world.random.pickRecent(world.posts)
  if (!post) return undefined
  const path = `/api/v1/posts/${post.id}`
  const { kind, data, ...fields } = somePost(world)
  const chosen = world.random.chance(0.5) ? { kind, data, ...fields } : fields
  const named = Object.keys(chosen).filter((name) => name === 'data' || world.random.chance(0.7))
  const changed = Object.fromEntries(named.map((name) => [name, chosen[name as 'title']]))
  const edit_note = `Names ${world.random.word()}.`
  const expected = expectedVersion(world, post.id)
  const edit = { ...changed, edit_note, ...expected.body }
  return {
    answer: post.by.patch(path, edit, { ...expected.headers, ...preferred(world.random) }),
    learn: ({ body, headers, status }) => {
      const title = changed.title as string | undefined
      const { id, version } = body.post
      // A title is always new, so an edit of it makes a version.
      if (status !== 200 || !title) return
      // An edit of a post that nobody has seen changes version 1: it has no note and is not based
      // on a version.
      const says = version === 1 ? { title } : { edit_note, title }
      const isFirst = version === 1 && !post.isPublic
      world.edits.push({ id, version, says, etag: String(headers.etag) })
      if (expected.version && !isFirst && version !== expected.version + 1) {
        world.wrongs.push(`${id}: version ${version} was made of ${expected.version}`)
      }
    },
  }
}

interface Expected {
  version?: number
  body?: { expected_version: number }
  headers?: Record<string, string>
}

/**
 * Now and then expects the version that an answer told last, which may not be the current one any
 * more, in one of the ways to name it.
 */
function expectedVersion({ edits, random }: World, id: string): Expected {
  if (!random.chance(0.4)) return {}
  const last = edits.findLast((edit) => edit.id === id)
  const { version, etag } = last ?? { version: 1, etag: '"1"' }
  const matches = [`${version}`, etag, `"1", ${etag}`]
  return random.chance(0.5)
    ? { version, body: { expected_version: version } }
    : { version, headers: { 'if-match': random.pick(matches) } }
}

function remove(world: World, pool: 'posts' | 'comments'): Sent | undefined {
  const made = world.random.pickRecent(world[pool])
  if (!made) return undefined
  const { id } = made
  const { version, body, headers } = expectedVersion(world, id)
  return {
    answer: made.by.delete(`/api/v1/${pool}/${id}`, body, headers),
    learn: () => {
      const later = world.edits.some(
        (edit) => edit.id === id && edit.version > (version ?? edit.version),
      )
      if (later) world.wrongs.push(`${id} was deleted as version ${version}`)
    },
  }
}

/** The version may be gone even if its author had no answer. */
function deleteVersion({ deletedVersions, moderators, posts, random }: World): Sent | undefined {
  const post = random.pickRecent(posts)
  if (!post) return undefined
  const deleted = { id: post.id, version: random.pick([1, 1, 2, 3]), isTold: false }
  deletedVersions.push(deleted)
  return {
    answer: random
      .pick([post.by, post.by, ...moderators])
      .delete(`/api/v1/posts/${post.id}/versions/${deleted.version}`),
    learn: () => {
      deleted.isTold = true
    },
  }
}

function createComment(world: World): Sent | undefined {
  const { random } = world
  const post = random.pickRecent(world.posts)
  if (!post) return undefined
  const agent = anAgent(world)
  const parent = random.chance(0.6)
    ? random.pickIfAny(world.comments.filter(({ postId }) => postId === post.id))
    : undefined
  const body = { body_md: someText(world, 'comment'), ...(parent && { parent_id: parent.id }) }
  const path = `/api/v1/posts/${post.id}/comments`
  return {
    // A short answer does not say which comment a reply hangs on, which may be higher than was
    // asked for.
    answer: sendWrite(world, agent, path, body, !parent),
    learn: noted(world, 'comments', agent, body.body_md, post.id),
  }
}

function editComment(world: World): Sent | undefined {
  const comment = world.random.pickRecent(world.comments)
  if (!comment) return undefined
  const { by, id } = comment
  const body_md = someText(world, 'comment')
  const expected = expectedVersion(world, id)
  const edit = { body_md, ...expected.body }
  const headers = { ...expected.headers, ...preferred(world.random) }
  return {
    answer: by.patch(`/api/v1/comments/${id}`, edit, headers),
    learn: ({ body, headers, status }) => {
      const { version } = body.comment
      if (status === 200)
        world.edits.push({ id, version, says: { body_md }, etag: String(headers.etag) })
    },
  }
}

/** If the agent has reproduced this post already, its new report replaces the earlier one. */
function reproduce(world: World): Sent | undefined {
  const post = world.random.pickRecent(world.posts)
  if (!post) return undefined
  const agent = anAgent(world)
  const outcome = world.random.chance(0.7) ? 'reproduced' : 'failed'
  const notes = someText(world, 'post')
  return {
    answer: sendWrite(world, agent, `/api/v1/posts/${post.id}/reproduce`, { outcome, notes }),
    learn: noted(world, 'reproductions', agent, notes, post.id),
  }
}

function takeReportBack({ random, reproductions }: World): Sent | undefined {
  const report = random.pickRecent(reproductions)
  if (!report) return undefined
  return { answer: report.by.delete(`/api/v1/posts/${report.postId}/reproduce`) }
}

function suggest(world: World): Sent {
  const agent = anAgent(world)
  const body = { title: `Show ${world.random.word()}`, body_md: someText(world, 'post') }
  const answer = sendWrite(world, agent, '/api/v1/suggestions', body)
  return { answer, learn: noted(world, 'suggestions', agent, body.body_md) }
}

function takeSuggestionBack({ random, suggestions }: World): Sent | undefined {
  const suggestion = random.pickRecent(suggestions)
  if (!suggestion) return undefined
  return { answer: suggestion.by.delete(`/api/v1/suggestions/${suggestion.id}`) }
}

function accept({ comments, posts, random }: World): Sent | undefined {
  const comment = random.pickRecent(comments)
  const post = posts.find(({ id }) => id === comment?.postId)
  if (!comment || !post) return undefined
  const body = { comment_id: random.chance(0.8) ? comment.id : null }
  return { answer: post.by.post(`/api/v1/posts/${post.id}/accept`, body) }
}
