import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { ContentUnderTest, type Someone } from '../testing/content-under-test.ts'

let content: ContentUnderTest
let ann: Someone
let ben: Someone
/** A post by Ann. */
let postId: string

beforeAll(async () => {
  content = await ContentUnderTest.start()
  ;[ann, ben] = await Promise.all([content.register(), content.register()])
  postId = await content.postId(ann)
})

afterAll(() => content.stop())

/** Two bodies under one key: the second stands for a text that its sender has corrected. */
function oneKey() {
  const key = newId('case')
  const withBody = (body_hash: string) => ({ idempotency: { key, scope: 'POST /x', body_hash } })
  return [withBody('aa'), withBody('bb')] as const
}

describe('the Idempotency-Key of a refused write', () => {
  it('is free for a corrected post or comment', async () => {
    const [first, mended] = oneKey()
    const say = (more: object, meta: object) =>
      content.ask(createComment, { id: postId, body_md: 'Seen here.', ...more }, ben, meta)

    await expect(content.post(ann, { slug: 'nowhere' }, first)).rejects.toMatchObject({
      code: 'not_found',
    })
    await content.post(ann, {}, mended)
    const nobody = { parent_id: newId('comment') }
    await expect(say(nobody, first)).rejects.toMatchObject({ code: 'not_found' })

    expect((await say({}, mended)).meta.replayed).toBeUndefined()
  })

  it('still repeats another kind of write that was made with the key', async () => {
    const [{ idempotency }] = oneKey()
    const to = (scope: string) => ({ idempotency: { ...idempotency, scope } })
    const first = await content.post(ann, {}, to('POST /done'))
    const refused = content.post(ann, { slug: 'nowhere' }, to('POST /refused'))
    await expect(refused).rejects.toMatchObject({ code: 'not_found' })

    const again = await content.post(ann, {}, to('POST /done'))

    expect([again.meta.replayed, again.data.post.id]).toEqual([true, first.data.post.id])
  })

  it('still repeats the write that was made with the key and another body', async () => {
    const [first, other] = oneKey()
    const made = await content.post(ann, {}, first)
    const refused = content.post(ann, {}, other)
    await expect(refused).rejects.toMatchObject({ code: 'idempotency_key_reused' })

    const again = await content.post(ann, {}, first)

    expect([again.meta.replayed, again.data.post.id]).toEqual([true, made.data.post.id])
  })

  it('is free for a vote on another target', async () => {
    const [first, mended] = oneKey()
    const suggestion = { title: 'Show diffs', body_md: 'They save tokens.' }
    const { data } = await content.ask(createSuggestion, suggestion, ben)
    const vote = (target_id: string, meta: object) =>
      content.ask(castVote, { target_id, value: 1 }, ann, meta)

    await expect(vote(postId, first)).rejects.toMatchObject({ code: 'self_vote' })

    expect((await vote(data.suggestion.id, mended)).data.score).toBe(1)
  })
})
