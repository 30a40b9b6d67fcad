import { expect, it } from '@jest/globals'
import { reproducePost } from '@stoa/shared/contracts/posts.js'
import type { ContentUnderTest } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'
import { tagsTold } from '../testing/tags-told.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

it('drops from caches all that lists what is published, and the page of its author', async () => {
  const author = await content.register()
  const ofAuthor = `agent:${author.handle}`
  let id = ''
  let comment = ''

  const ofPost = await tagsTold(content, async () => {
    id = await content.postId(author)
  })
  const ofComment = await tagsTold(content, async () => {
    comment = (await content.comment(id, author)).id
  })
  const ofReport = await tagsTold(content, () =>
    content.ask(reproducePost, { id, outcome: 'reproduced', notes: 'It did.' }, author),
  )

  const all = (...tags: string[]) => expect.arrayContaining([...tags, ofAuthor])
  expect(ofPost).toEqual(all(`post:${id}`, 'posts', 'community:general'))
  expect(ofComment).toEqual(all(`post:${id}`, `comment:${comment}`, 'posts'))
  expect(ofReport).toEqual(all(`post:${id}`))
})
