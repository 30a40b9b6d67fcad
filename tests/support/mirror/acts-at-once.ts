import { randomUUID } from 'node:crypto'
import { type Answer, call, type TestAgent } from '../agent.ts'
import { type Acts, type Sent, worstOf } from './act-table.ts'
import { noted } from './acts-of-authors.ts'
import { aboutAlert, resolveAlert } from './acts-of-moderators.ts'
import { somePost, someText } from './texts.ts'
import { type Made, newWord, type World } from './world.ts'

/**
 * Acts that must not happen twice or side by side, sent at the same moment, most of them to
 * different gateways.
 */
export const ACTS_AT_ONCE: Acts = {
  'send two posts under one key': [2, onePostOfTwo],
  'edit one version twice': [2, oneEditOfTwo],
  'vote this way and that': [2, voteTwice],
  'answer what is being deleted': [1, answerDeleted],
  'mark two as duplicates of each other': [2, markEachOther],
  'accept two answers': [2, acceptTwo],
  'report this way and that': [2, reportTwice],
  'decide one alert in two ways': [2, decideInTwoWays],
}

/** Sends requests as one agent, to each gateway in turn. */
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
  const agent = world.random.pick(world.agents)
  const posts = [somePost(world), somePost(world)]
  const headers = { 'idempotency-key': randomUUID() }
  const send = async () => {
    const path = '/api/v1/communities/meta/posts'
    const answers = await everywhere(world, agent)('POST', path, posts, headers)
    return landed(world, 'two posts under one key', answers) ?? (answers[0] as Answer)
  }
  return {
    answer: send(),
    learn: (answer) => {
      const post = posts.find(({ title }) => title === answer.body.post.title)
      noted(world, 'posts', agent, post?.body_md)(answer)
    },
  }
}

function oneEditOfTwo(world: World): Sent | undefined {
  const post = world.random.pickRecent(world.posts)
  if (!post) return undefined
  const path = `/api/v1/posts/${post.id}`
  const titles = [newWord(world, 'post'), newWord(world, 'post')]
  const isByTag = world.random.chance(0.5)
  const send = async () => {
    const now = await post.by.get(path)
    const expected_version = now.body.post?.version
    if (!expected_version) return now
    const edits = titles.map((title) => (isByTag ? { title } : { title, expected_version }))
    const headers = isByTag ? { 'if-match': String(now.headers.etag) } : {}
    const answers = await everywhere(world, post.by)('PATCH', path, edits, headers)
    const published = answers.filter(({ status }) => status !== 202)
    landed(world, 'two edits of one version', published)
    return answers[0] as Answer
  }
  return { answer: send() }
}

function voteTwice(world: World): Sent | undefined {
  const target = world.random.pickRecent([...world.posts, ...world.comments])
  if (!target) return undefined
  const agent = world.random.pick(world.agents)
  const votes = [1, -1, 0, 1].map((value) => ({ target_id: target.id, value }))
  return { answer: worstOf(everywhere(world, agent)('POST', '/api/v1/votes', votes)) }
}

function answerDeleted(world: World): Sent | undefined {
  const post = world.random.pickRecent(world.posts)
  if (!post) return undefined
  const by = world.random.pick(world.agents)
  const text = someText(world, 'comment')
  const answer = by.post(`/api/v1/posts/${post.id}/comments`, { body_md: text })
  const deleted = post.by.delete(`/api/v1/posts/${post.id}`)
  return {
    answer: Promise.all([answer, deleted]).then(([answered]) => answered),
    learn: noted(world, 'comments', by, text, post.id),
  }
}

function markEachOther({ posts, random }: World): Sent | undefined {
  const [one, other] = [random.pickRecent(posts), random.pickRecent(posts)]
  if (!one || !other) return undefined
  const mark = (post: Made, canonical: Made) =>
    post.by.post(`/api/v1/posts/${post.id}/duplicate-of`, { canonical_id: canonical.id })
  return { answer: worstOf(Promise.all([mark(one, other), mark(other, one)])) }
}

/** Accepts two comments, one of which may be deleted at the same time. */
function acceptTwo({ comments, posts, random }: World): Sent | undefined {
  const post = random.pickRecent(posts.filter(({ id }) => comments.some((c) => c.postId === id)))
  if (!post) return undefined
  const own = comments.filter(({ postId }) => postId === post.id)
  const [one, other] = [random.pick(own), random.pick(own)]
  const accept = ({ id }: Made) =>
    post.by.post(`/api/v1/posts/${post.id}/accept`, { comment_id: id })
  const deleted = random.chance(0.3) ? [one.by.delete(`/api/v1/comments/${one.id}`)] : []
  return { answer: worstOf(Promise.all([accept(one), accept(other), ...deleted])) }
}

function reportTwice(world: World): Sent | undefined {
  const post = world.random.pickRecent(world.posts)
  if (!post) return undefined
  const by = world.random.pick(world.agents)
  const learnt: (() => void)[] = []
  const report = async (outcome: string) => {
    const notes = someText(world, 'post')
    const answer = await by.post(`/api/v1/posts/${post.id}/reproduce`, { outcome, notes })
    const learn = noted(world, 'reproductions', by, notes, post.id)
    if (answer.status < 300) learnt.push(() => learn(answer))
    return answer
  }
  return {
    answer: worstOf(Promise.all([report('reproduced'), report('failed')])),
    learn: () => {
      for (const learn of learnt) learn()
    },
  }
}

function decideInTwoWays(world: World): Sent {
  const [one, other] = world.moderators
  return aboutAlert(world, 'open', async (_, { id }) => {
    const answers = await Promise.all([
      resolveAlert(world, one, id, { action: 'remove' }),
      resolveAlert(world, other, id, { action: 'approve' }),
    ])
    return landed(world, 'two decisions', answers) ?? (answers[0] as Answer)
  })
}
