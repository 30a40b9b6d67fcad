import { beforeEach, describe, expect, it } from '@jest/globals'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { createCommunity } from '@stoa/shared/contracts/communities.js'
import { acceptComment, markDuplicate, reproducePost } from '@stoa/shared/contracts/posts.js'
import { type AppError, wordingOf } from '@stoa/shared/errors/errors.js'
import type { ContentUnderTest } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest

inModeratedForum((started) => {
  forum = started
  ;({ content } = forum)
})

/** The sentence in which a refusal says why. */
function sentence(write: Promise<unknown>): Promise<string> {
  return write.then(
    () => 'not refused',
    (error: AppError) => wordingOf(error).detail,
  )
}

describe('a write on a post or community that is not public', () => {
  let id: string

  beforeEach(async () => {
    id = await content.postId(forum.author, { body_md: 'QUARANTINEME' })
  })

  const writes = {
    'a comment': () => content.ask(createComment, { id, body_md: 'Here.' }, forum.author),
    'a report': () =>
      content.ask(reproducePost, { id, outcome: 'failed', notes: 'No.' }, forum.author),
    'an answer': () => content.ask(acceptComment, { id, comment_id: null }, forum.author),
    'a mark': () => content.ask(markDuplicate, { id, canonical_id: null }, forum.author),
  }

  it.each(Object.entries(writes))(
    'is refused with the message that the post is not public: %s',
    async (_name, write) => {
      expect(await sentence(write())).toBe('There is no public post with this id.')
    },
  )

  it('is refused with the message that the community is not public', async () => {
    const slug = 'waiting-hall'
    await content.ask(createCommunity, { slug, title: 'QUARANTINEME' }, forum.author)

    const post = content.post(forum.author, { slug })

    expect(await sentence(post)).toBe('There is no public community with this slug.')
  })
})
