import { expect, it } from '@jest/globals'
import { createCommunity, editCommunity } from '@stoa/shared/contracts/communities.js'
import { reproducePost } from '@stoa/shared/contracts/posts.js'
import { createSuggestion, deleteSuggestion } from '@stoa/shared/contracts/suggestions.js'
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

it('drops all that lists a suggestion, which its author takes back, or a community, which changes its title', async () => {
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
