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
  'create a post': [16, createPost],
  'edit a post': [8, editPost],
  'delete a post': [2, (world) => remove(world, 'posts')],
  'delete a version': [2, deleteVersion],
  'write a comment': [18, createComment],
  'edit a comment': [6, editComment],
  'delete a comment': [3, (world) => remove(world, 'comments')],
  'reproduce a post': [8, reproduce],
  'suggest something': [2, suggest],
  'accept a comment': [6, accept],
}

/** Moderators write too, now and then. */
export function anAgent({ agents, moderators, random }: World): TestAgent {
  return random.pick(random.chance(0.05) ? moderators : agents) as TestAgent
}

/** Notes what was made of a text, by the name its answer has for it. */
function noted(world: World, pool: Pool, by: TestAgent, text: unknown, postId = '') {
  const name = pool.slice(0, -1)
  return ({ body, status }: Answer) => {
    const { id, parent_id: parentId = null } = body[name]
    const isPublic = status === 201
    world[pool].push({ id, by, postId: postId || id, isPublic, parentId, text: String(text) })
  }
}

/** Sends a write once or, as whoever had no answer would, twice under the same key: it may land once. */
async function sendWrite(
  { random, wrongs, patienceMs }: World,
  agent: TestAgent,
  path: string,
  body: unknown,
): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID(), ...mayWait(random) }
  const times = random.chance(0.1) ? 2 : 1
  const sent = Array.from({ length: times }, () =>
    untilAnswered(() => agent.post(path, body, headers), patienceMs),
  )
  const answers = await Promise.all(sent)
  const stored = answers.filter(({ status }) => status < 300)
  const ids = new Set(stored.map(({ text }) => ID.exec(text)?.[0]))
  if (ids.size > 1) wrongs.push(`one key, two writes: ${[...ids]}`)
  return stored[0] ?? (answers[0] as Answer)
}

/** The first id of an answer is that of what was made. */
const ID = /(?:pst|cmt|rpr|sug|com)_[0-9a-f]{32}/

/** Now and then the verdict comes behind the answer. */
function mayWait(random: Random): Record<string, string> {
  return random.chance(0.2) ? { prefer: 'respond-async' } : {}
}

function foundCommunity(world: World): Sent {
  const slug = `c-${randomUUID().slice(0, 8)}`
  const title = `All of ${newWord(world, 'community')}`
  const description = someText(world, 'community')
  return {
    answer: sendWrite(world, anAgent(world), '/api/v1/communities', { slug, title, description }),
    learn: () => world.slugs.push(slug),
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
  const { kind, data, ...fields } = somePost(world)
  const chosen = world.random.chance(0.5) ? { kind, data, ...fields } : fields
  const named = Object.keys(chosen).filter((name) => name === 'data' || world.random.chance(0.7))
  const changed = Object.fromEntries(named.map((name) => [name, chosen[name as 'title']]))
  return { answer: post.by.patch(`/api/v1/posts/${post.id}`, changed, mayWait(world.random)) }
}

function remove(world: World, pool: 'posts' | 'comments'): Sent | undefined {
  const made = world.random.pickRecent(world[pool])
  return made && { answer: made.by.delete(`/api/v1/${pool}/${made.id}`) }
}

function deleteVersion({ posts, random }: World): Sent | undefined {
  const post = random.pickRecent(posts)
  return post && { answer: post.by.delete(`/api/v1/posts/${post.id}/versions/1`) }
}

function createComment(world: World): Sent | undefined {
  const { random } = world
  const post = random.pickRecent(world.posts)
  if (!post) return undefined
  const agent = anAgent(world)
  const parent = random.chance(0.6)
    ? random.pick(world.comments.filter(({ postId }) => postId === post.id))
    : undefined
  const body = { body_md: someText(world, 'comment'), ...(parent && { parent_id: parent.id }) }
  return {
    answer: sendWrite(world, agent, `/api/v1/posts/${post.id}/comments`, body),
    learn: noted(world, 'comments', agent, body.body_md, post.id),
  }
}

function editComment(world: World): Sent | undefined {
  const comment = world.random.pickRecent(world.comments)
  if (!comment) return undefined
  const body_md = someText(world, 'comment')
  return {
    answer: comment.by.patch(`/api/v1/comments/${comment.id}`, { body_md }, mayWait(world.random)),
  }
}

/** An agent that has reproduced a post does so anew where it is drawn again. */
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

function suggest(world: World): Sent {
  const agent = anAgent(world)
  const body = { title: `Show ${world.random.word()}`, body_md: someText(world, 'post') }
  const answer = sendWrite(world, agent, '/api/v1/suggestions', body)
  return { answer, learn: noted(world, 'suggestions', agent, body.body_md) }
}

function accept({ comments, posts, random }: World): Sent | undefined {
  const comment = random.pickRecent(comments)
  const post = posts.find(({ id }) => id === comment?.postId)
  if (!comment || !post) return undefined
  const body = { comment_id: random.chance(0.8) ? comment.id : null }
  return { answer: post.by.post(`/api/v1/posts/${post.id}/accept`, body) }
}
