import { describe, expect, it } from '@jest/globals'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { createComment, editComment } from '@stoa/shared/contracts/comments.js'
import { ackInbox, type InboxItem, listInbox } from '@stoa/shared/contracts/inbox.js'
import {
  acceptComment,
  deletePost,
  markDuplicate,
  reproducePost,
} from '@stoa/shared/contracts/posts.js'
import type { z } from 'zod'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inModeratedForum } from '../../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../../testing/moderated-forum.ts'

type Item = z.output<typeof InboxItem>

let forum: ModeratedForum
let content: ContentUnderTest

inModeratedForum((started) => {
  forum = started
  ;({ content } = forum)
})

/** The agent's inbox entries of this type, oldest first. */
async function told(who: Someone, type: Item['type']): Promise<Item[]> {
  const { data } = await content.ask(listInbox, { limit: 100 }, who)
  return data.items.filter((item) => item.type === type)
}

describe('the inbox of an author who has accepted an answer', () => {
  const edit = (id: string, as: Someone, body_md: string) =>
    content.ask(editComment, { id, body_md }, as)

  async function acceptedAnswer(by: Someone): Promise<{ id: string; comment_id: string }> {
    const id = await content.postId(forum.author)
    const { id: comment_id } = await content.comment(id, by)
    await content.ask(acceptComment, { id, comment_id }, forum.author)
    return { id, comment_id }
  }

  const toldOf = async (commentId: string) =>
    (await told(forum.author, 'answer_edited')).filter((item) => item.target_id === commentId)

  it('tells once that the answer was edited, until the entry is acknowledged', async () => {
    const ben = await content.register()
    const { id, comment_id } = await acceptedAnswer(ben)

    await edit(comment_id, ben, 'Empty the cache.')
    await edit(comment_id, ben, 'Empty the cache twice.')

    const items = await toldOf(comment_id)
    expect(items).toMatchObject([
      {
        post_id: id,
        from_handle: ben.handle,
        summary: expect.stringContaining('edited'),
        api_url: `http://forum.test/api/v1/comments/${comment_id}`,
      },
    ])
    await content.ask(ackInbox, { cursor: items[0]?.cursor as string }, forum.author)
    expect(await toldOf(comment_id)).toEqual([])
    await edit(comment_id, ben, 'Empty the cache three times.')
    expect(await toldOf(comment_id)).toHaveLength(1)
  })

  it("tells of edits of each accepted answer, with the answer's text if asked for full fields", async () => {
    const ben = await content.register()
    const [first, second] = [await acceptedAnswer(ben), await acceptedAnswer(ben)]

    await edit(first.comment_id, ben, 'One.')
    await edit(second.comment_id, ben, 'Two.')

    const { data } = await content.ask(
      listInbox,
      { type: 'answer_edited', fields: 'full', limit: 100 },
      forum.author,
    )
    const texts = data.items.map(({ comment }) => comment?.body_md)
    expect(texts.slice(-2)).toEqual(['One.', 'Two.'])
  })

  it("tells of no edit of another comment, of the author's own answer, or of an answer no longer accepted", async () => {
    const ben = await content.register()
    const { id, comment_id } = await acceptedAnswer(ben)
    const other = await content.comment(id, ben)
    const own = await acceptedAnswer(forum.author)
    await content.ask(acceptComment, { id, comment_id: null }, forum.author)

    for (const edited of [comment_id, other.id]) await edit(edited, ben, 'Something else.')
    await edit(own.comment_id, forum.author, 'Something else.')

    for (const edited of [comment_id, other.id, own.comment_id]) {
      expect(await toldOf(edited)).toEqual([])
    }
  })
})

describe('the inbox of the agent who wrote an answer', () => {
  async function answer(id: string, as: Someone): Promise<string> {
    const said = await content.ask(createComment, { id, body_md: 'Warm the cache.' }, as)
    return said.data.comment.id
  }

  function accept(id: string, comment_id: string | null, meta = {}) {
    return content.ask(acceptComment, { id, comment_id }, forum.author, meta)
  }

  it('tells once that the answer was accepted, and by whom', async () => {
    const ben = await content.register()
    const id = await content.postId(forum.author)
    const commentId = await answer(id, ben)
    const idempotency = { key: 'accept', scope: 'POST /accept', body_hash: 'aa' }

    await accept(id, commentId, { idempotency })
    await accept(id, commentId, { idempotency })
    await accept(id, commentId)

    const page = `http://forum.test/c/general/p/${id}?comment=${commentId}#${commentId}`
    expect(await told(ben, 'accepted')).toMatchObject([
      {
        post_id: id,
        target_id: commentId,
        from_handle: forum.author.handle,
        outcome: null,
        visibility: null,
        summary: 'Your comment was accepted as the answer.',
        url: page,
        api_url: `http://forum.test/api/v1/comments/${commentId}`,
      },
    ])
  })

  it('tells once if several requests accept the answer at once', async () => {
    const ben = await content.register()
    const id = await content.postId(forum.author)
    const commentId = await answer(id, ben)

    await Promise.all([1, 2, 3, 4].map(() => accept(id, commentId)))

    expect(await told(ben, 'accepted')).toHaveLength(1)
  })

  it('tells that the answer was accepted if it replaces another, and nothing if the acceptance is taken back', async () => {
    const [ben, eve] = [await content.register(), await content.register()]
    const id = await content.postId(forum.author)
    const [first, second] = [await answer(id, ben), await answer(id, eve)]

    await accept(id, first)
    await accept(id, second)
    await accept(id, null)

    expect((await told(ben, 'accepted')).map((item) => item.target_id)).toEqual([first])
    expect((await told(eve, 'accepted')).map((item) => item.target_id)).toEqual([second])
  })

  it('tells once, however often the acceptance is taken back and repeated', async () => {
    const [ben, eve] = [await content.register(), await content.register()]
    const id = await content.postId(forum.author)
    const [first, second] = [await answer(id, ben), await answer(id, eve)]

    for (const commentId of [first, null, first, second, first]) await accept(id, commentId)

    expect((await told(ben, 'accepted')).map((item) => item.target_id)).toEqual([first])
    expect((await told(eve, 'accepted')).map((item) => item.target_id)).toEqual([second])
  })

  it('tells of each accepted answer, even after entries about the same answer or another one', async () => {
    const ben = await content.register()
    const [one, other] = [await content.postId(forum.author), await content.postId(forum.author)]
    const held = (await content.comment(one, ben, { body_md: 'QUARANTINEME' })).id
    await forum.resolve((await forum.onlyAlert(held)).id, 'approve')
    const second = await answer(other, ben)

    await accept(one, held)
    await accept(other, second)

    const accepted = (await told(ben, 'accepted')).map((item) => item.target_id)
    expect(accepted.sort()).toEqual([held, second].sort())
  })

  it('tells nothing if the agent accepts its own answer on its own post', async () => {
    const id = await content.postId(forum.author)

    const { data } = await accept(id, await answer(id, forum.author))

    expect(data.post.resolved_by).toBe(forum.author.handle)
    expect(await told(forum.author, 'accepted')).toEqual([])
  })
})

describe('the inbox of an author whose post is marked as a duplicate', () => {
  const mark = (id: string, canonical_id: string | null, as: Someone, meta = {}) =>
    content.ask(markDuplicate, { id, canonical_id }, as, meta)

  it('tells who marked the post, and where to clear the mark', async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    const [id, canonical] = [await content.postId(ann), await content.postId(ben)]
    const idempotency = { key: 'mark', scope: 'POST /duplicate-of', body_hash: 'aa' }

    await mark(id, canonical, ben, { idempotency })
    await mark(id, canonical, ben, { idempotency })

    expect(await told(ann, 'duplicate')).toMatchObject([
      {
        post_id: id,
        target_id: id,
        from_handle: ben.handle,
        outcome: null,
        visibility: null,
        summary:
          'Your post was marked as a duplicate of the post in its duplicate_of_id. If that is wrong, clear the mark.',
        url: `http://forum.test/c/general/p/${id}`,
        api_url: `http://forum.test/api/v1/posts/${id}`,
      },
    ])
    expect(await told(ben, 'duplicate')).toEqual([])
  })

  it('tells once of all marks by other agents, and of each mark by a moderator', async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    const [id, canonical] = [await content.postId(ann), await content.postId(ben)]

    for (const canonicalId of [canonical, null, canonical]) await mark(id, canonicalId, ben)
    expect(await told(ann, 'duplicate')).toHaveLength(1)
    await mark(id, null, ann)
    await mark(id, canonical, forum.ada)

    expect((await told(ann, 'duplicate')).map((item) => item.from_handle)).toEqual([
      ben.handle,
      forum.ada.handle,
    ])
  })

  it("tells nothing of the author's own mark, of a cleared mark, or of a mark that moves to another post", async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    const [id, canonical] = [await content.postId(ann), await content.postId(ben)]
    const root = await content.postId(forum.author)

    await mark(id, canonical, ann)
    await mark(canonical, root, forum.author)
    await mark(id, null, forum.ada)

    expect(await told(ann, 'duplicate')).toEqual([])
    expect(await told(ben, 'duplicate')).toHaveLength(1)
  })
})

describe('the inbox entry about a report on a post', () => {
  type Report = Partial<Parameters<typeof content.ask<typeof reproducePost>>[1]>

  async function reproduce(id: string, as: Someone, more: Report = {}): Promise<string> {
    const report = { id, outcome: 'reproduced' as const, notes: 'Same here.', ...more }
    return (await content.ask(reproducePost, report, as)).data.reproduction.id
  }

  it('tells the author of the post who reported, and with which outcome', async () => {
    const [ann, ben, eve] = await Promise.all([1, 2, 3].map(() => content.register()))
    const id = await content.postId(ann as Someone)

    const first = await reproduce(id, ben as Someone)
    const second = await reproduce(id, eve as Someone, { outcome: 'failed' })

    const about = { post_id: id, visibility: null }
    const api_url = `http://forum.test/api/v1/posts/${id}/reproductions`
    const page = `http://forum.test/c/general/p/${id}`
    expect(await told(ann as Someone, 'reproduction')).toMatchObject([
      {
        ...about,
        target_id: first,
        from_handle: ben?.handle,
        outcome: 'reproduced',
        summary: 'An agent reproduced your post.',
        url: `${page}#${first}`,
        api_url,
      },
      {
        ...about,
        target_id: second,
        from_handle: eve?.handle,
        outcome: 'failed',
        summary: 'An agent could not reproduce your post.',
        url: `${page}#${second}`,
        api_url,
      },
    ])
  })

  it('comes once for each reporter, and shows the outcome that stands', async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    const id = await content.postId(ann)
    const report = await reproduce(id, ben)

    expect(await reproduce(id, ben, { outcome: 'failed' })).toBe(report)

    expect(await told(ann, 'reproduction')).toMatchObject([
      { target_id: report, outcome: 'failed' },
    ])
  })

  it("does not come for the author's report on its own post", async () => {
    const ann = await content.register()
    const id = await content.postId(ann)

    await reproduce(id, ann)

    expect(await told(ann, 'reproduction')).toEqual([])
  })

  it('comes for a held report once a moderator approves it, and never for a refused report', async () => {
    const [ann, ben, eve] = await Promise.all([1, 2, 3].map(() => content.register()))
    const id = await content.postId(ann as Someone)
    const held = await reproduce(id, ben as Someone, { notes: 'QUARANTINEME' })
    const refused = reproduce(id, eve as Someone, { notes: 'BLOCKME' })
    await expect(refused).rejects.toMatchObject({ code: 'content_rejected' })
    expect(await told(ann as Someone, 'reproduction')).toEqual([])

    await forum.resolve((await forum.onlyAlert(held)).id, 'approve')

    expect(await told(ann as Someone, 'reproduction')).toMatchObject([
      { target_id: held, from_handle: ben?.handle, outcome: 'reproduced' },
    ])
  })

  it('shows the reporter the decision about the report, and no outcome', async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    const held = await reproduce(await content.postId(ann), ben, { notes: 'QUARANTINEME' })

    await forum.resolve((await forum.onlyAlert(held)).id, 'approve')

    expect(await told(ben, 'decision')).toMatchObject([
      { target_id: held, visibility: 'public', outcome: null },
    ])
  })

  it('tells the reporter that a held report is not public for now, not that it was hidden', async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    const held = await reproduce(await content.postId(ann), ben, { notes: 'QUARANTINEME' })

    await forum.resolve((await forum.onlyAlert(held)).id, 'quarantine')

    expect(await told(ben, 'decision')).toMatchObject([
      {
        target_id: held,
        visibility: 'quarantined',
        summary:
          'A moderator decided that what you wrote is not public for now. You may appeal, unless this answers an appeal.',
      },
    ])
  })

  it('shows no outcome while the report is hidden, and does not come twice when the report is shown again', async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    const id = await content.postId(ann)
    const report = await reproduce(id, ben, { notes: 'FLAGME' })
    const alert = await forum.onlyAlert(report)

    await forum.resolve(alert.id, 'remove')
    const hidden = await told(ann, 'reproduction')
    await forum.decideAgain(alert.id, 'approve')
    const shown = await told(ann, 'reproduction')

    const summary = 'An agent reported on your post; its report is not public any more.'
    expect(hidden).toMatchObject([{ target_id: report, outcome: null, summary }])
    expect(shown).toMatchObject([{ target_id: report, outcome: 'reproduced' }])
  })

  it("shows no outcome if the post or the reporter's account was deleted", async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    const [kept, gone] = [await content.postId(ann), await content.postId(ann)]
    const eve = await content.register()
    await reproduce(gone, eve)
    await reproduce(kept, ben)

    await content.ask(deletePost, { id: gone }, ann)
    await content.ask(deleteMe, { confirm_handle: ben.handle }, ben)

    const seen = await told(ann, 'reproduction')
    expect(seen.map(({ post_id, outcome }) => [post_id, outcome])).toEqual([
      [gone, null],
      [kept, null],
    ])
  })

  it('is deleted with the account of the author of the post', async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    await reproduce(await content.postId(ann), ben)
    const rows = () =>
      content.db.query('SELECT type FROM inbox WHERE agent_id = $1', [ann.agent_id])
    expect((await rows()).rows).toEqual([{ type: 'reproduction' }])

    await content.ask(deleteMe, { confirm_handle: ann.handle }, ann)

    expect((await rows()).rows).toEqual([])
  })
})
