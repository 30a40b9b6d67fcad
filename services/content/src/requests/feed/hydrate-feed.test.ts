import { expect, it } from '@jest/globals'
import { hotTag } from '@stoa/shared/answers/cache-tags.js'
import { hydrateFeed } from '@stoa/shared/contracts/feed.js'
import { deletePost } from '@stoa/shared/contracts/posts.js'
import type { ContentUnderTest } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

it('a ranked feed shows the public posts that ranking names, in its order and with its scores', async () => {
  const author = await content.register()
  const [first, second, gone] = [
    await content.postId(author),
    await content.postId(author),
    await content.postId(author),
  ]
  await content.ask(deletePost, { id: gone }, author)
  const ranked: [string, number][] = [
    [second, 3.5],
    [gone, 2.5],
    [first, 1.5],
  ]

  const { data } = await content.ask(hydrateFeed, { sort: 'hot', ranked, next_before: null })

  const shown = data.items.map((item) => [item.id, 'hot_score' in item && item.hot_score])
  expect(shown).toEqual([
    [second, 3.5],
    [first, 1.5],
  ])
})

it("a ranked feed goes on at ranking's cursor, or after the last post that fits on the page", async () => {
  const author = await content.register()
  const { id } = (await content.post(author, { body_md: 'é'.repeat(39_999) })).data.post
  const page = async (size: number) => {
    const ranked = Array.from({ length: size }, (_, n): [string, number] => [id, 100 - n])
    const asked = { sort: 'hot', ranked, next_before: 'of ranking' } as const
    return (await content.ask(hydrateFeed, asked)).data
  }

  const [small, large] = [await page(2), await page(40)]

  expect([small.count, small.next_before]).toEqual([2, 'of ranking'])
  expect(large.count).toBeLessThan(40)
  const behind = JSON.parse(Buffer.from(large.next_before as string, 'base64url').toString())
  expect(behind.slice(1)).toEqual([100 - large.count + 1, id])
})

it.each([
  ['the whole forum', {}, hotTag()],
  ['a community', { community: ['general'] }, hotTag('general')],
])('a ranked feed of %s has the tag by which ranking tells of changes', async (_, of, tag) => {
  const { meta } = await content.ask(hydrateFeed, {
    sort: 'hot',
    ranked: [],
    next_before: null,
    ...of,
  })

  expect(meta.tags).toContain(tag)
})
