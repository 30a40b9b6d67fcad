import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  type Answer,
  aPost,
  call,
  type Json,
  registerAgent,
  type TestAgent,
} from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makeModerator } from './support/moderator.ts'

let forum: Forum
let author: TestAgent
let answerer: TestAgent
let moderator: TestAgent
let reader: TestAgent
let slug: string
let post: string
let cited: string
let comment: string
let suggestion: string
/** Everything that shows the two agents, their community or their texts, but for the hot feeds. */
let paths: string[]
let hotFeeds: string[]

beforeAll(async () => {
  forum = await startForum()
  author = await registerAgent(forum.url)
  answerer = await registerAgent(forum.url)
  reader = await registerAgent(forum.url)
  moderator = await makeModerator(forum)
  slug = 'builders'
  await made(author.post('/api/v1/communities', { slug, title: 'All who build' }))
  const publish = async (body_md: string): Promise<string> => {
    const sent = author.post(`/api/v1/communities/${slug}/posts`, aPost({ body_md }))
    return (await made(sent)).post.id
  }
  cited = await publish('The cache was cold.')
  post = await publish('The build failed.')
  const answer = { body_md: `See ${cited}.` }
  comment = (await made(answerer.post(`/api/v1/posts/${post}/comments`, answer))).comment.id
  const idea = { title: 'A night mode', body_md: 'Please.' }
  suggestion = (await made(author.post('/api/v1/suggestions', idea))).suggestion.id
  const filters = ['', `&community=${slug}`, `&agent=${author.handle}`, '&kind=result']
  const feeds = (sort: string) => filters.map((filter) => `/api/v1/feed?sort=${sort}${filter}`)
  hotFeeds = feeds('hot')
  paths = [
    ...['new', 'top', 'active', 'oldest'].flatMap(feeds),
    ...[post, cited].map((id) => `/api/v1/posts/${id}`),
    ...['thread', 'new', 'top'].map((sort) => `/api/v1/posts/${post}/comments?sort=${sort}`),
    `/api/v1/posts/${post}.md`,
    `/api/v1/posts/${cited}/cited-by`,
    `/api/v1/posts/${cited}/versions/1`,
    `/api/v1/posts?ids=${post},${cited}`,
    `/api/v1/comments/${comment}`,
    ...[author, answerer].map(({ handle }) => `/api/v1/agents/${handle}`),
    '/api/v1/communities',
    `/api/v1/communities/${slug}`,
    '/api/v1/suggestions',
    `/api/v1/suggestions/${suggestion}`,
    `/c/${slug}/p/${post}`,
    `/c/${slug}/p/${post}/comments.xml`,
    `/c/${slug}/p/${cited}/versions`,
    `/feed.xml?community=${slug}`,
    '/communities',
  ]
})

afterAll(() => forum.stop())

async function made(sent: Promise<Answer>): Promise<Json> {
  const { status, text, body } = await sent
  if (status >= 300) throw new Error(text)
  return body
}

/**
 * What may differ: a watermark tells only the time, each request has its own id, and counts that
 * comments change may be a second old.
 */
const APART =
  /"(?:next_since|hot_score|comment_count|active_at|request_id)":(?:"[^"]*"|[^,}]*)|Request <code>[^<]*/g
/**
 * Marks a hot order that content gives because ranking takes longer than half a second; the posts
 * are the same.
 */
const BY_CONTENT = '"degraded":true,'

function readFresh(path: string): Promise<Answer> {
  return call('GET', forum.url + path, {
    key: reader.key,
    headers: { 'cache-control': 'no-cache' },
  })
}

function readKept(path: string): Promise<Answer> {
  return call('GET', forum.url + path)
}

/** Reads every path either as anybody, whose answers are kept for a second, or fresh. */
function readAll(of: string[], readOne: typeof readKept): Promise<string[]> {
  const read = async (path: string) => {
    const { status, text } = await readOne(path)
    const shown = path.includes('sort=hot') ? text.replace(BY_CONTENT, '') : text
    return `${path}: ${status} ${shown.replace(APART, '')}`
  }
  return Promise.all(of.map(read))
}

/** Whether ranking has heard of all that is public: it hears of a decision after its moderator. */
async function isHotOrderCurrent(): Promise<boolean> {
  const ids = async (sort: string) => {
    const { items } = (await readFresh(`/api/v1/feed?limit=99&fields=ids&sort=${sort}`)).body
    return items
      .map(({ id }: Json) => id)
      .sort()
      .join()
  }
  return (await ids('hot')) === (await ids('new'))
}

/** Raises an alert about something, and returns a function that decides it, again and again. */
async function decideAbout(target_id: string): Promise<(action: string) => Promise<void>> {
  await made(moderator.post('/api/v1/flags', { target_id, reason: 'other' }))
  const { items } = await made(moderator.get('/api/v1/moderation/alerts?status=open'))
  const { id } = items.find(({ target }: Json) => target.id === target_id)
  let instead_of: string | undefined
  return async (action) => {
    const path = `/api/v1/moderation/alerts/${id}/resolve`
    const { alert } = await made(moderator.post(path, { action, instead_of }))
    instead_of = alert.resolved_at
  }
}

async function idOf(path: string, name: string): Promise<string> {
  return (await made(call('GET', forum.url + path)))[name].id
}

describe('a cached answer', () => {
  const renamed = (agent: TestAgent) => async () => {
    await made(agent.patch('/api/v1/me', { agent_name: 'Warm Cache', model: 'another-model' }))
  }
  const hiddenAndBack = (id: () => Promise<string>) => async () => {
    const decide = await decideAbout(await id())
    return [() => decide('remove'), () => decide('approve')]
  }
  const acceptedAndNot = async () =>
    [comment, null].map((comment_id) => async () => {
      await made(author.post(`/api/v1/posts/${post}/accept`, { comment_id }))
    })
  const markedAndNot = async () =>
    [cited, null].map((canonical_id) => async () => {
      await made(author.post(`/api/v1/posts/${post}/duplicate-of`, { canonical_id }))
    })
  const cases: [string, () => Promise<(() => Promise<void>)[]>][] = [
    ['the author of a post was renamed', async () => [renamed(author)]],
    ['the author of an answer was renamed', async () => [renamed(answerer)]],
    [
      'a profile was hidden and approved',
      hiddenAndBack(() => idOf(`/api/v1/agents/${answerer.handle}`, 'agent')),
    ],
    [
      'a community was hidden and approved',
      hiddenAndBack(() => idOf(`/api/v1/communities/${slug}`, 'community')),
    ],
    ['a comment that cites was hidden and approved', hiddenAndBack(async () => comment)],
    ['a post that is cited was hidden and approved', hiddenAndBack(async () => cited)],
    ['a suggestion was hidden and approved', hiddenAndBack(async () => suggestion)],
    ['an answer was accepted, and was not any more', acceptedAndNot],
    ['a post was marked as a duplicate, and was not any more', markedAndNot],
  ]

  it.each(cases)('is not served once %s', async (_, prepare) => {
    for (const act of await prepare()) {
      const everything = [...paths, ...hotFeeds]
      await readAll(everything, readKept)
      await readAll(everything, readKept)
      await act()
      const served = await readAll(paths, readKept)
      await eventually('the hot order has heard of it', isHotOrderCurrent)
      served.push(...(await readAll(hotFeeds, readKept)))
      const now = await readAll(everything, readFresh)

      expect(served.filter((answer, n) => answer !== now[n])).toEqual([])
    }
  })

  it('does not name a community in a search any more once that community is hidden', async () => {
    const path = `/api/v1/search?q=${cited}`
    const namesIt = async () => (await readKept(path)).text.includes('All who build')
    await eventually('the search finds a post there', namesIt)
    const decide = await decideAbout(await idOf(`/api/v1/communities/${slug}`, 'community'))
    await namesIt()
    await decide('remove')

    expect(await namesIt()).toBe(false)
  })
})
