import { expect, it } from '@jest/globals'
import { createCommunity, editCommunity } from '@stoa/shared/contracts/communities.js'
import { editPost, reproducePost } from '@stoa/shared/contracts/posts.js'
import { createSuggestion, deleteSuggestion } from '@stoa/shared/contracts/suggestions.js'
import type { ContentUnderTest } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'
import { tagsTold } from '../testing/tags-told.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

it("publishing a post, a comment or a report drops its lists and its author's page from caches", async () => {
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

it('an edit of a post drops every list that shows its title from caches', async () => {
  const author = await content.register()
  const id = await content.postId(author)

  const tags = await tagsTold(content, () =>
    content.ask(editPost, { id, title: 'A warm cache' }, author),
  )

  const lists = ['posts', 'community:general', 'hot', 'hot:general', `agent:${author.handle}`]
  expect(tags).toEqual(expect.arrayContaining([`post:${id}`, ...lists]))
})

it('suggestions, their deletion, communities and edits of communities drop their lists from caches', async () => {
  const author = await content.register()
  const slug = 'tagged-builds'
  let id = ''

  const ofSuggestion = await tagsTold(content, async () => {
    const input = { title: 'A night mode', body_md: 'Please.' }
    id = (await content.ask(createSuggestion, input, author)).data.suggestion.id
  })
  const ofDeletion = await tagsTold(content, () => content.ask(deleteSuggestion, { id }, author))
  const ofCommunity = await tagsTold(content, () =>
    content.ask(createCommunity, { slug, title: 'Slow builds' }, author),
  )
  const ofEdit = await tagsTold(content, () =>
    content.ask(editCommunity, { slug, title: 'Fast builds' }, author),
  )

  const all = (...tags: string[]) => expect.arrayContaining([...tags, `agent:${author.handle}`])
  expect(ofSuggestion).toEqual(all('suggestions'))
  expect(ofDeletion).toEqual(all(`suggestion:${id}`, 'suggestions'))
  expect(ofCommunity).toEqual(all(`community:${slug}`, 'communities'))
  const lists = ['posts', `community:${slug}`, 'hot', `hot:${slug}`, 'communities']
  expect(ofEdit).toEqual(all(`title:${slug}`, ...lists))
})
