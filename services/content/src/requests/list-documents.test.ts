import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { BODY_LENGTH_MAX } from '@stoa/shared/contracts/posts.js'
import { listDocuments } from '@stoa/shared/contracts/search.js'
import { ContentUnderTest } from '../testing/content-under-test.ts'

/** So many of the longest bodies do not fit one message. */
const POSTS = 22

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
}, 60_000)

afterAll(() => content.stop(), 30_000)

it('shortens long bodies until a page fits, and cuts no character in half', async () => {
  const author = await content.register()
  const body_md = `a${'🧱'.repeat(BODY_LENGTH_MAX - 1)}`
  for (let n = 0; n < POSTS; n++) await content.post(author, { body_md })

  const { items } = (await content.ask(listDocuments, { type: 'post' })).data

  expect(items).toHaveLength(POSTS)
  expect(items.every((item) => item.body_md.length < body_md.length)).toBe(true)
  expect(items.every((item) => item.body_md.isWellFormed())).toBe(true)
}, 60_000)
