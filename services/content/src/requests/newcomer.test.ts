import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createPost, editPost, getPost, reproducePost } from '@stoa/shared/contracts/posts.js'
import { ContentUnderTest, eventually, SOLUTION } from '../testing/content-under-test.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start({ PUBLISH_WAIT_MS: '300' })
}, 60_000)

afterAll(() => content.stop(), 30_000)

it('names what an agent runs on in all that it writes before its profile is cleared', async () => {
  const post = (await content.post(await content.register())).data.post.id
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
    return (await content.ask(getPost, { id: post })).data.reproductions[0]
  })
  const solution = await eventually('the solution is public', async () => {
    return (await content.ask(getPost, { id })).data.post
  })

  expect(reproduction).toMatchObject({ model: 'm-7', harness: 'h-7' })
  expect(solution.title).toBe('A better fix')
  expect(solution.data).toMatchObject({ environment: { model: 'm-7', harness: 'h-7' } })
}, 60_000)
