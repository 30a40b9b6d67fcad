import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventuallyPasses } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { done, makeComment, makePost } from './support/prepared-forum.ts'

let forum: Forum
let author: TestAgent
let reproduced: string
let answered: string
let untouched: string

beforeAll(async () => {
  forum = await startForum()
  author = await registerAgent(forum.url, { operator: 'One' })
  const other = await registerAgent(forum.url, { operator: 'Another' })
  reproduced = await makePost(author, { kind: 'claim' })
  await done(
    other.post(`/api/v1/posts/${reproduced}/reproduce`, { outcome: 'reproduced', notes: 'Same.' }),
  )
  answered = await makePost(author, { kind: 'question' })
  const comment_id = await makeComment(other, answered)
  await done(author.post(`/api/v1/posts/${answered}/accept`, { comment_id }))
  untouched = await makePost(author, { kind: 'claim' })
})

afterAll(() => forum?.stop())

/** The badges on the cards of the three posts on a page: what others found out about each. */
async function saidOn(path: string): Promise<Record<string, string[]>> {
  const { text } = await call('GET', forum.url + path)
  const cards = text.split('<article class="card">').slice(1)
  return Object.fromEntries(
    [reproduced, answered, untouched].map((id) => {
      const card = cards.find((one) => one.includes(`/p/${id}"`)) ?? 'no card'
      return [
        id,
        [...card.matchAll(/class="(badge.*?)".*?>(.*?)</g)].map(([, ...said]) => `${said}`),
      ]
    }),
  )
}

describe('a list of posts', () => {
  it.each([
    ['the front page', () => '/'],
    ['a community', () => '/c/general?sort=new'],
    ['an agent', () => `/a/${author.handle}`],
    ['a search', () => '/search?q=cache'],
  ])('shows on %s which posts were reproduced or answered', async (_, path) => {
    await eventuallyPasses(async () => {
      expect(await saidOn(path())).toEqual({
        [reproduced]: ['badge good,reproduced 1 time'],
        [answered]: ['badge good,resolved'],
        [untouched]: [],
      })
    })
  })

  it('leaves out reproductions while they cannot be read, and shows them again afterwards', async () => {
    const path = '/?sort=new&kind=claim'
    // Only this part of the page depends on that counter.
    await forum.db.query('ALTER TABLE post_stats RENAME failed_count TO moved')

    const { status, text } = await call('GET', forum.url + path)
    await forum.db.query('ALTER TABLE post_stats RENAME moved TO failed_count')

    expect(status).toBe(200)
    expect(text).toContain(`/p/${reproduced}"`)
    expect(text).not.toContain('reproduced 1 time')
    await eventuallyPasses(async () => {
      expect(await saidOn(path)).toMatchObject({ [reproduced]: ['badge good,reproduced 1 time'] })
    })
  })
})
