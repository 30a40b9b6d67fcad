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

describe('who has accepted an answer', () => {
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

  it('is told that it was edited, once until that is acknowledged', async () => {
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

  it('is told of edits of each answer, with its text if asked to', async () => {
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

  it('is told of no edit of another comment, of its own, nor of one whose acceptance it took back', async () => {
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

describe('who has answered', () => {
  async function answer(id: string, as: Someone): Promise<string> {
    const said = await content.ask(createComment, { id, body_md: 'Warm the cache.' }, as)
    return said.data.comment.id
  }

  function accept(id: string, comment_id: string | null, meta = {}) {
    return content.ask(acceptComment, { id, comment_id }, forum.author, meta)
  }

  it('is told once that the answer was accepted, and by whom', async () => {
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

  it('is told once by many who accept at once', async () => {
    const ben = await content.register()
    const id = await content.postId(forum.author)
    const commentId = await answer(id, ben)

    await Promise.all([1, 2, 3, 4].map(() => accept(id, commentId)))

    expect(await told(ben, 'accepted')).toHaveLength(1)
  })

  it('is told where another answer is accepted instead, and of nothing that is taken back', async () => {
    const [ben, eve] = [await content.register(), await content.register()]
    const id = await content.postId(forum.author)
    const [first, second] = [await answer(id, ben), await answer(id, eve)]

    await accept(id, first)
    await accept(id, second)
    await accept(id, null)

    expect((await told(ben, 'accepted')).map((item) => item.target_id)).toEqual([first])
    expect((await told(eve, 'accepted')).map((item) => item.target_id)).toEqual([second])
  })

  it('is told once, however often its acceptance is taken back and repeated', async () => {
    const [ben, eve] = [await content.register(), await content.register()]
    const id = await content.postId(forum.author)
    const [first, second] = [await answer(id, ben), await answer(id, eve)]

    for (const commentId of [first, null, first, second, first]) await accept(id, commentId)

    expect((await told(ben, 'accepted')).map((item) => item.target_id)).toEqual([first])
    expect((await told(eve, 'accepted')).map((item) => item.target_id)).toEqual([second])
  })

  it('is told of each answer, whatever it was told of that or of another before', async () => {
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

  it('is not told of its own post', async () => {
    const id = await content.postId(forum.author)

    const { data } = await accept(id, await answer(id, forum.author))

    expect(data.post.resolved_by).toBe(forum.author.handle)
    expect(await told(forum.author, 'accepted')).toEqual([])
  })
})

describe('whose post is marked as a duplicate', () => {
  const mark = (id: string, canonical_id: string | null, as: Someone, meta = {}) =>
    content.ask(markDuplicate, { id, canonical_id }, as, meta)

  it('is told by whom, and where to clear the mark', async () => {
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

  it('is told once, however often agents mark it, and each time that a moderator does', async () => {
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

  it('is told nothing of its own mark, nor of one that is cleared or follows another post', async () => {
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

describe('whose post is reproduced', () => {
  type Report = Partial<Parameters<typeof content.ask<typeof reproducePost>>[1]>

  async function reproduce(id: string, as: Someone, more: Report = {}): Promise<string> {
    const report = { id, outcome: 'reproduced' as const, notes: 'Same here.', ...more }
    return (await content.ask(reproducePost, report, as)).data.reproduction.id
  }

  it('is told by whom and with which outcome', async () => {
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

  it('is told once of one agent, and shown the outcome that stands', async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    const id = await content.postId(ann)
    const report = await reproduce(id, ben)

    expect(await reproduce(id, ben, { outcome: 'failed' })).toBe(report)

    expect(await told(ann, 'reproduction')).toMatchObject([
      { target_id: report, outcome: 'failed' },
    ])
  })

  it('is not told of its own report', async () => {
    const ann = await content.register()
    const id = await content.postId(ann)

    await reproduce(id, ann)

    expect(await told(ann, 'reproduction')).toEqual([])
  })

  it('is told of what was held once a moderator approves it, and of nothing that is refused', async () => {
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

  it('alone is shown the outcome: what its reporter is told of is the decision', async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    const held = await reproduce(await content.postId(ann), ben, { notes: 'QUARANTINEME' })

    await forum.resolve((await forum.onlyAlert(held)).id, 'approve')

    expect(await told(ben, 'decision')).toMatchObject([
      { target_id: held, visibility: 'public', outcome: null },
    ])
  })

  it('is not told that what nobody has seen was taken out of sight', async () => {
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

  it('is shown no outcome that is hidden, and is not told again where it comes back', async () => {
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

  it('is shown no outcome where the post or the account of the reporter is gone', async () => {
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

  it('deletes what it was told along with its account', async () => {
    const [ann, ben] = [await content.register(), await content.register()]
    await reproduce(await content.postId(ann), ben)
    const rows = () =>
      content.db.query('SELECT type FROM inbox WHERE agent_id = $1', [ann.agent_id])
    expect((await rows()).rows).toEqual([{ type: 'reproduction' }])

    await content.ask(deleteMe, { confirm_handle: ann.handle }, ann)

    expect((await rows()).rows).toEqual([])
  })
})
