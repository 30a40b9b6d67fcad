import { describe, expect, it } from '@jest/globals'
import { listSubmissions } from '@stoa/shared/contracts/agents.js'
import { createAppeal } from '@stoa/shared/contracts/appeals.js'
import { createComment, getComment } from '@stoa/shared/contracts/comments.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { listInbox } from '@stoa/shared/contracts/inbox.js'
import { deletePost, editPost, reproducePost } from '@stoa/shared/contracts/posts.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest

inModeratedForum((started) => {
  forum = started
  ;({ content } = forum)
})

async function bringBack(targetId: string) {
  return (await forum.decideAgain((await forum.onlyAlert(targetId)).id, 'approve')).data
}

/** A comment and a reproduction that a moderator hid, on a post that is hidden as well. */
async function hiddenThread() {
  const other = await content.register()
  const id = await forum.publicPost('FLAGME')
  const sent = { id, outcome: 'reproduced', notes: 'FLAGME' } as const
  const [comment, reproduction] = [
    (await content.ask(createComment, { id, body_md: 'FLAGME' }, other)).data.comment.id,
    (await content.ask(reproducePost, sent, other)).data.reproduction.id,
  ]
  for (const thing of [comment, reproduction, id]) {
    await forum.resolve((await forum.onlyAlert(thing)).id, 'remove')
  }
  return { id, comment, reproduction }
}

describe('a comment, report or edit on a hidden post', () => {
  it('is shown again with the post if a moderator has approved it before', async () => {
    const { id, comment, reproduction } = await hiddenThread()
    const { data: before } = await content.ask(listChanges, { limit: 500 })

    const became = await bringBack(comment)
    await bringBack(reproduction)
    const { data: quiet } = await content.ask(listChanges, { limit: 500 })
    await bringBack(id)

    expect(became.shown?.visibility).toBe('removed')
    expect(quiet.items).toHaveLength(before.items.length)
    await content.ask(getComment, { id: comment })
    const { data } = await forum.read(id)
    expect([data.post.comment_count, data.post.reproduced_count]).toEqual([1, 1])
    const { data: changes } = await content.ask(listChanges, { limit: 500 })
    expect(
      changes.items
        .slice(before.items.length)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['comment.published', 'post.published', 'reproduction.published'])
  })

  it('can be appealed while the post is hidden, and edited again once the post is shown', async () => {
    const other = await content.register()
    const id = await forum.publicPost()
    await content.comment(id, other, { body_md: 'QUARANTINEME' })
    const sent = { id, outcome: 'reproduced', notes: 'QUARANTINEME' } as const
    await content.ask(reproducePost, sent, other)
    await content.ask(editPost, { id, body_md: 'QUARANTINEME edited' }, forum.author)
    const advice = async () => {
      const lists = [other, forum.author].map((one) => content.ask(listSubmissions, {}, one))
      const held = (await Promise.all(lists)).flatMap(({ data }) =>
        data.items.filter((one) => one.post_id === id && one.visibility === 'quarantined'),
      )
      return held.map((one) => one.next_action?.why)
    }
    await forum.flag(id, forum.bob)
    const hidden = (await forum.onlyAlert(id, 'flags')).id

    await forum.resolve(hidden, 'remove')
    const whileAway = await advice()
    await forum.decideAgain(hidden, 'approve')

    expect(whileAway).toEqual(Array(3).fill('Appeal with this case_id.'))
    const edit = 'Appeal with this case_id, or edit it so that the reasons no longer hold.'
    expect((await advice()).filter((why) => why === edit)).toHaveLength(2)
  })

  it.each(['remove', 'quarantine'] as const)(
    'stays held if it is approved before it was public, and can be approved again with the post: %s',
    async (action) => {
      const other = await content.register()
      const id = await forum.publicPost()
      const sent = { id, outcome: 'reproduced', notes: 'QUARANTINEME' } as const
      const { comment } = (await content.ask(createComment, { id, body_md: 'QUARANTINEME' }, other))
        .data
      const { reproduction } = (await content.ask(reproducePost, sent, other)).data
      await content.ask(editPost, { id, body_md: 'QUARANTINEME edited' }, forum.author)
      await forum.flag(id, forum.bob)
      const hidden = (await forum.onlyAlert(id, 'flags')).id
      await forum.resolve(hidden, action)
      const waiting = [
        await forum.onlyAlert(comment.id),
        await forum.onlyAlert(reproduction.id),
        await forum.onlyAlert(id, 'scanner'),
      ].map((alert) => alert.id)

      const became = []
      for (const alert of waiting) {
        became.push((await forum.resolve(alert, 'approve')).data.submission?.visibility)
      }
      await forum.decideAgain(hidden, 'approve')
      for (const alert of waiting) await forum.decideAgain(alert, 'approve')

      expect(became).toEqual(['quarantined', 'quarantined', 'quarantined'])
      await content.ask(getComment, { id: comment.id })
      const { data } = await forum.read(id)
      expect(data.post).toMatchObject({
        body_md: 'QUARANTINEME edited',
        comment_count: 1,
        reproduced_count: 1,
      })
    },
  )

  it('counts as removed if it is approved after the author has deleted the post', async () => {
    const id = await forum.publicPost()
    const sent = { id, body_md: 'QUARANTINEME' }
    const { comment } = (await content.ask(createComment, sent, await content.register())).data
    await content.ask(deletePost, { id }, forum.author)

    const { data } = await forum.resolve((await forum.onlyAlert(comment.id)).id, 'approve')

    expect(data.submission?.visibility).toBe('removed')
  })

  it('cannot be appealed if it is approved after the author has deleted the post', async () => {
    const id = await forum.publicPost()
    const writer = await content.register()
    const sent = { id, body_md: 'QUARANTINEME' }
    const { comment } = (await content.ask(createComment, sent, writer)).data
    await content.ask(deletePost, { id }, forum.author)
    await forum.resolve((await forum.onlyAlert(comment.id)).id, 'approve')

    const gone = /belongs to is not public/
    const [told] = (await content.ask(listInbox, {}, writer)).data.items.slice(-1)
    expect(told).toMatchObject({ type: 'verdict', summary: expect.stringMatching(gone) })
    const [listed] = (await content.ask(listSubmissions, {}, writer)).data.items
    expect(listed?.next_action).toMatchObject({ method: 'GET', why: expect.stringMatching(gone) })
    const appeal = { case_id: comment.case_id as string, reason: 'Why?' }
    await expect(content.ask(createAppeal, appeal, writer)).rejects.toMatchObject({
      details: { errors: [{ code: 'not_appealable' }] },
    })
  })

  it('is removed for its author too after the post was deleted, and still shown to moderators', async () => {
    const id = await forum.publicPost()
    const writer = await content.register()
    const sent = { id, body_md: 'QUARANTINEME' }
    const { comment } = (await content.ask(createComment, sent, writer)).data
    await content.ask(deletePost, { id }, forum.author)
    const read = (as: Someone) => content.ask(getComment, { id: comment.id }, as)

    const gone = { code: 'removed', details: { reason: 'never_public' } }
    await expect(read(writer)).rejects.toMatchObject(gone)
    expect((await read(forum.ada)).data.comment.visibility).toBe('quarantined')
    for (const visibility of [undefined, 'removed'] as const) {
      const [listed] = (await content.ask(listSubmissions, { visibility }, writer)).data.items
      expect(listed).toMatchObject({
        target_id: comment.id,
        visibility: 'removed',
        next_action: { method: 'GET', why: expect.stringMatching(/belongs to is not public/) },
      })
    }
  })

  it('is answered as removed if its report is sent again with its Idempotency-Key', async () => {
    const [id, reporter] = [await forum.publicPost('FLAGME'), await content.register()]
    const idempotency = { key: newId('case'), scope: 'POST /reproduce', body_hash: 'aa' }
    const report = () => {
      const sent = { id, outcome: 'reproduced', notes: 'Same here.' } as const
      return content.ask(reproducePost, sent, reporter, { idempotency })
    }
    await report()
    await forum.resolve((await forum.onlyAlert(id)).id, 'remove')

    await expect(report()).rejects.toMatchObject({ code: 'removed', details: { replayed: true } })
  })

  it('is shown to its author and to moderators as removed with the post', async () => {
    const id = await forum.publicPost('FLAGME')
    const writer = await content.register()
    const { comment } = (await content.ask(createComment, { id, body_md: 'Here.' }, writer)).data
    await forum.resolve((await forum.onlyAlert(id)).id, 'quarantine')
    const read = (as?: Someone) => content.ask(getComment, { id: comment.id }, as)

    for (const as of [writer, forum.ada]) {
      expect((await read(as)).data.comment).toMatchObject({
        body_md: 'Here.',
        visibility: 'removed',
        reasons: [],
        next_action: { method: 'GET', why: expect.stringMatching(/belongs to is not public/) },
      })
    }
    for (const as of [undefined, forum.author]) {
      await expect(read(as)).rejects.toMatchObject({ code: 'removed' })
    }
    await bringBack(id)
    expect((await read(writer)).data.comment).not.toHaveProperty('visibility')
    await content.ask(deletePost, { id }, forum.author)
    await expect(read(writer)).rejects.toMatchObject({ code: 'removed' })
    expect((await read(forum.ada)).data.comment.visibility).toBe('removed')
  })

  it('stays hidden when the post is shown again, if it was not approved itself', async () => {
    const { id, comment } = await hiddenThread()

    await bringBack(id)

    await expect(content.ask(getComment, { id: comment })).rejects.toMatchObject({
      code: 'removed',
    })
    expect((await forum.read(id)).data.post.comment_count).toBe(0)
  })
})
