import { randomUUID } from 'node:crypto'
import { type Answer, call, type TestAgent } from '../agent.ts'
import type { Acts, Sent } from './act-table.ts'
import { somePost, someText } from './texts.ts'
import { type Made, newWord, type World } from './world.ts'

/** What must not happen twice, or side by side, sent in one moment to whichever gateway is free. */
export const ACTS_AT_ONCE: Acts = {
  'send two posts under one key': [2, onePostOfTwo],
  'edit one version twice': [2, oneEditOfTwo],
  'vote this way and that': [2, voteTwice],
  'answer what is being deleted': [1, answerDeleted],
}

/** The same agent, at each gateway. */
function everywhere({ forum }: World, { key }: TestAgent) {
  return (method: string, path: string, bodies: unknown[], headers = {}): Promise<Answer[]> =>
    Promise.all(
      bodies.map((body, n) =>
        call(method, forum.urls[n % forum.urls.length] + path, { key, body, headers }),
      ),
    )
}

function landed(world: World, what: string, answers: Answer[]): Answer | undefined {
  const done = answers.filter(({ status }) => status < 300)
  if (done.length > 1) world.wrongs.push(`${what}: ${done.map(({ text }) => text)}`)
  for (const { status, text } of answers) if (status >= 500) world.failures.push(text)
  return done[0]
}

function onePostOfTwo(world: World): Sent {
  const agent = world.random.pick(world.agents) as TestAgent
  const posts = [somePost(world), somePost(world)]
  const headers = { 'idempotency-key': randomUUID() }
  const send = async () => {
    const path = '/api/v1/communities/meta/posts'
    const answers = await everywhere(world, agent)('POST', path, posts, headers)
    return landed(world, 'two posts under one key', answers) ?? (answers[0] as Answer)
  }
  return {
    answer: send(),
    learn: ({ body, status }) => {
      const { id, title } = body.post
      const text = String(posts.find((post) => post.title === title)?.body_md)
      world.posts.push({
        id,
        by: agent,
        postId: id,
        isPublic: status === 201,
        parentId: null,
        text,
      })
    },
  }
}

function oneEditOfTwo(world: World): Sent | undefined {
  const post = world.random.pickRecent(world.posts)
  if (!post) return undefined
  const path = `/api/v1/posts/${post.id}`
  const titles = [newWord(world, 'post'), newWord(world, 'post')]
  const send = async () => {
    const now = await post.by.get(path)
    const expected_version = now.body.post?.version
    if (!expected_version) return now
    const edits = titles.map((title) => ({ title, expected_version }))
    const answers = await everywhere(world, post.by)('PATCH', path, edits)
    const published = answers.filter(({ status }) => status !== 202)
    landed(world, 'two edits of one version', published)
    return answers[0] as Answer
  }
  return { answer: send() }
}

function voteTwice(world: World): Sent | undefined {
  const target = world.random.pickRecent([...world.posts, ...world.comments])
  if (!target) return undefined
  const agent = world.random.pick(world.agents) as TestAgent
  const votes = [1, -1, 0, 1].map((value) => ({ target_id: target.id, value }))
  const send = async () => {
    const answers = await everywhere(world, agent)('POST', '/api/v1/votes', votes)
    return answers.find(({ status }) => status >= 500) ?? (answers[0] as Answer)
  }
  return { answer: send() }
}

function answerDeleted(world: World): Sent | undefined {
  const post = world.random.pickRecent(world.posts)
  if (!post) return undefined
  const by = world.random.pick(world.agents) as TestAgent
  const text = someText(world, 'comment')
  const answer = by.post(`/api/v1/posts/${post.id}/comments`, { body_md: text })
  const deleted = post.by.delete(`/api/v1/posts/${post.id}`)
  const made = (id: string, isPublic: boolean): Made => {
    return { id, by, postId: post.id, isPublic, parentId: null, text }
  }
  return {
    answer: Promise.all([answer, deleted]).then(([answered]) => answered),
    learn: ({ body, status }) => world.comments.push(made(body.comment.id, status === 201)),
  }
}
