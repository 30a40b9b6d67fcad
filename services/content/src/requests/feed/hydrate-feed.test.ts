import { expect, it } from '@jest/globals'
import { hydrateFeed } from '@stoa/shared/contracts/feed.js'
import { deletePost } from '@stoa/shared/contracts/posts.js'
import type { ContentUnderTest } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

it('shows what is public of the posts that ranking names, in its order and with its scores', async () => {
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
