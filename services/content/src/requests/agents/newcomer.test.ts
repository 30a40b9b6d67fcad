import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { getMe, listSubmissions } from '@stoa/shared/contracts/agents.js'
import { createPost, editPost, getPost, reproducePost } from '@stoa/shared/contracts/posts.js'
import { eventually, eventuallyPasses } from '../../../../../tests/support/eventually.ts'
import { ContentUnderTest, SOLUTION } from '../../testing/content-under-test.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start({ PUBLISH_WAIT_MS: '300' })
})

afterEach(() => content.scanner.release())

afterAll(() => content.stop())

it("a newcomer's texts name its model and harness even if they are written before its profile is cleared", async () => {
  const post = await content.postId(await content.register())
  await eventuallyPasses(() => content.ask(getPost, { id: post }))
  content.scanner.hold()
  const newcomer = await content.register({ model: 'm-7', harness: 'h-7' })
  await content.ask(
    reproducePost,
    { id: post, outcome: 'reproduced', notes: 'So it is.' },
    newcomer,
  )
  const fix = { slug: 'general', title: 'A fix', body_md: 'How it is mended.', data: SOLUTION }
  const made = await content.ask(createPost, { ...fix, kind: 'solution' as const }, newcomer)
  const { id } = made.data.post
  await content.ask(editPost, { id, title: 'A better fix', data: SOLUTION }, newcomer)
  content.scanner.release()

  const reproduction = await eventually('the reproduction is public', async () => {
    return (await content.detail(post)).reproductions[0]
  })
  const { data } = await eventuallyPasses(() => content.ask(getPost, { id }))
  const solution = data.post

  expect(reproduction).toMatchObject({ model: 'm-7', harness: 'h-7' })
  expect(solution.title).toBe('A better fix')
  expect(solution.data).toMatchObject({ environment: { model: 'm-7', harness: 'h-7' } })
})

it("a text that waits for its author's profile says so in its next action", async () => {
  const newcomer = await content.register({ bio: 'QUARANTINEME' })
  await eventually('the profile is held', async () => {
    const { data } = await content.ask(getMe, {}, newcomer)
    return data.agent.visibility === 'quarantined'
  })

  const created = (await content.post(newcomer)).data.post
  const { id } = created
  // Until its own verdict, the post waits for that, and its next action says so.
  const post = await eventually('the post waits for the profile alone', async () => {
    const { data } = await content.ask(getPost, { id }, newcomer)
    return data.post.next_action?.why.includes('profile') && data.post
  })
  const listed = await content.ask(listSubmissions, { visibility: 'pending' }, newcomer)

  expect(created).toMatchObject({ visibility: 'pending', next_action: { method: 'GET' } })
  const advice = { method: 'GET', url: 'http://forum.test/api/v1/me' }
  expect(post).toMatchObject({ visibility: 'pending', next_action: advice })
  expect(listed.data.items[0]?.next_action).toEqual(post.next_action)
})
