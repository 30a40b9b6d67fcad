import { afterEach, describe, expect, it } from '@jest/globals'
import { createAppeal } from '@stoa/shared/contracts/appeals.js'
import { createComment, deleteComment, getComment } from '@stoa/shared/contracts/comments.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { acceptComment } from '@stoa/shared/contracts/posts.js'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'
import { tagsTold } from '../testing/tags-told.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let helper: Someone

inModeratedForum(async (started) => {
  forum = started
  ;({ content } = forum)
  helper = await content.register()
})

afterEach(async () => {
  expect(await behindTheirEvents()).toEqual([])
})

/** Posts of which an event has told a revision that is newer than theirs. */
async function behindTheirEvents(): Promise<unknown[]> {
  const { rows } = await content.db.query(
    `SELECT p.id, p.revision, max((event::json #>> '{data,revision}')::int) AS told
     FROM outbox JOIN posts p ON p.id = event::json #>> '{data,id}'
     GROUP BY p.id HAVING max((event::json #>> '{data,revision}')::int) > p.revision`,
  )
  return rows
}

const OPEN = { accepted_comment_id: null, resolved_at: null, resolved_by: null }

function accept(id: string, comment_id: string | null) {
  return content.ask(acceptComment, { id, comment_id }, forum.author)
}

async function aComment(id: string, body_md = 'FLAGME'): Promise<string> {
  return (await content.ask(createComment, { id, body_md }, helper)).data.comment.id
}

/** The accepted-answer mark as a stranger reads it, and the comments shown as accepted. */
async function marks(id: string) {
  const { post, comments } = (await forum.read(id)).data
  const { accepted_comment_id, resolved_at, resolved_by } = post
  const accepted = comments.filter((comment) => comment.accepted).map((comment) => comment.id)
  return { mark: { accepted_comment_id, resolved_at, resolved_by }, accepted }
}

/** A post whose author has accepted an answer that a moderator then hid. */
async function hiddenAnswer(action: 'remove' | 'quarantine' = 'remove') {
  const id = await forum.publicPost()
  const answer = await aComment(id)
  await accept(id, answer)
  const { mark } = await marks(id)
  const { id: alert } = await forum.onlyAlert(answer)
  await forum.resolve(alert, action)
  return { id, answer, alert, mark }
}

async function told(act: () => Promise<unknown>) {
  const { next_cursor: after } = (await content.ask(listChanges, { after: 'now' })).data
  await act()
  const { items } = (await content.ask(listChanges, { after })).data
  return items
}

describe('an accepted answer that a moderator hides', () => {
  it.each(['remove', 'quarantine'] as const)(
    'leaves its post open, and is its accepted answer again once approved: %s',
    async (action) => {
      const { id, answer, alert, mark } = await hiddenAnswer(action)
      const hidden = await marks(id)
      const own = (await content.ask(getComment, { id: answer }, helper)).data.comment

      const items = await told(() => forum.decideAgain(alert, 'approve'))

      expect(hidden).toEqual({ mark: OPEN, accepted: [] })
      expect(own.accepted).toBe(false)
      expect(mark.accepted_comment_id).toBe(answer)
      expect(await marks(id)).toEqual({ mark, accepted: [answer] })
      expect(items).toMatchObject([
        { type: 'comment.published', target_id: answer, comment: { accepted: true } },
        { type: 'post.updated', target_id: id, post: mark },
      ])
    },
  )

  it('is logged with its post as changed', async () => {
    const id = await forum.publicPost()
    const answer = await aComment(id)
    await accept(id, answer)
    const { id: alert } = await forum.onlyAlert(answer)

    const items = await told(() => forum.resolve(alert, 'remove'))

    expect(items).toMatchObject([
      { type: 'comment.removed', target_id: answer },
      { type: 'post.updated', target_id: id, post: OPEN },
    ])
  })

  it('drops every list of its post from caches when it is hidden, shown again or deleted', async () => {
    const id = await forum.publicPost()
    const answer = await aComment(id)
    const { meta } = await accept(id, answer)
    const { id: alert } = await forum.onlyAlert(answer)
    const lists = expect.arrayContaining(['posts', 'community:general', 'hot', 'hot:general'])

    const gone = await tagsTold(content, () => forum.resolve(alert, 'remove'))
    const back = await tagsTold(content, () => forum.decideAgain(alert, 'approve'))
    const deleted = await content.ask(deleteComment, { id: answer }, helper)

    expect(meta.tags).toEqual(lists)
    expect([gone, back, deleted.meta.tags]).toEqual([lists, lists, lists])
  })

  it('logs no change of its post if the post was hidden before', async () => {
    const id = await forum.publicPost()
    const answer = await aComment(id)
    await accept(id, answer)
    await forum.flag(id, forum.ada)
    await forum.resolve((await forum.onlyAlert(id)).id, 'remove')
    const { id: alert } = await forum.onlyAlert(answer)

    const items = await told(() => forum.resolve(alert, 'remove'))

    expect(items.map(({ target_id }) => target_id)).toEqual([answer])
  })

  it('is the accepted answer again when an appeal is granted', async () => {
    const { id, answer, mark } = await hiddenAnswer()
    const { comment } = (await content.ask(getComment, { id: answer }, helper)).data
    const appeal = { case_id: comment.case_id as string, reason: 'A quote.' }
    await content.ask(createAppeal, appeal, helper)

    await forum.resolve((await forum.onlyAlert(answer, 'appeal')).id, 'approve', forum.bob)

    expect(await marks(id)).toEqual({ mark, accepted: [answer] })
  })

  it('is not the accepted answer again if the author has accepted another comment meanwhile', async () => {
    const { id, answer, alert } = await hiddenAnswer()
    const other = await aComment(id, 'Warm the cache.')
    const replaced = await told(() => accept(id, other))
    const { mark } = await marks(id)

    const items = await told(() => forum.decideAgain(alert, 'approve'))

    expect(replaced.map(({ target_id }) => target_id)).toEqual([id, other])
    expect(items.map(({ target_id }) => target_id)).toEqual([answer])
    expect(mark.accepted_comment_id).toBe(other)
    expect(await marks(id)).toEqual({ mark, accepted: [other] })
  })

  it('is not the accepted answer again if the author has reopened the post meanwhile', async () => {
    const { id, answer, alert } = await hiddenAnswer()
    await accept(id, null)

    const items = await told(() => forum.decideAgain(alert, 'approve'))

    expect(items.map(({ target_id }) => target_id)).toEqual([answer])
    expect(await marks(id)).toEqual({ mark: OPEN, accepted: [] })
  })

  it('stays deleted if its author deletes it, and no moderator can restore it', async () => {
    const { id, answer, alert } = await hiddenAnswer()
    await content.ask(deleteComment, { id: answer }, helper)

    await expect(forum.decideAgain(alert, 'approve')).rejects.toMatchObject({
      code: 'already_decided',
    })
    expect(await marks(id)).toEqual({ mark: OPEN, accepted: [] })
  })

  it('is accepted again with its post if both were hidden and both are approved', async () => {
    const { id, answer, alert, mark } = await hiddenAnswer()
    await forum.flag(id, forum.ada)
    const onPost = (await forum.onlyAlert(id)).id
    await forum.resolve(onPost, 'remove')

    const quiet = await told(() => forum.decideAgain(alert, 'approve'))
    const items = await told(() => forum.decideAgain(onPost, 'approve'))

    expect(quiet).toEqual([])
    expect(items.map(({ type }) => type)).toEqual(['post.published', 'comment.published'])
    expect(await marks(id)).toEqual({ mark, accepted: [answer] })
  })
})
