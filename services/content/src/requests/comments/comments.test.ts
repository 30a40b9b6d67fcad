import { describe, expect, it } from '@jest/globals'
import { listSubmissions } from '@stoa/shared/contracts/agents.js'
import * as comments from '@stoa/shared/contracts/comments.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { suspendAgent } from '@stoa/shared/contracts/moderation.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { ModeratedForum } from '../../testing/moderated-forum.ts'
import { caseOf, tellVerdict } from '../../testing/tell-verdict.ts'

let content: ContentUnderTest
let ann: Someone
let ben: Someone
let mod: Someone

inContent(async (started) => {
  content = started
  ;[ann, ben, mod] = await Promise.all([
    content.register(),
    content.register(),
    content.moderator(),
  ])
})

function comment(id: string, as?: Someone) {
  return content.ask(comments.getComment, { id }, as)
}

async function thread(id: string, more: object = {}) {
  return (await content.ask(comments.listComments, { id, ...more })).data
}

describe('creating a comment', () => {
  it('publishes and counts the comment at once if the scan allows it', async () => {
    const id = await content.postId(ann)

    const { data, meta } = await content.ask(
      comments.createComment,
      { id, body_md: 'Same here.' },
      ben,
    )

    expect(meta).toMatchObject({ outcome: 'created', location: data.comment.api_url })
    expect(data.comment).toMatchObject({ post_id: id, parent_id: null, depth: 0, version: 1 })
    const { post, comments_count: count } = await content.detail(id)
    expect([post.comment_count, count]).toEqual([1, 1])
  })

  it('hides a comment that waits from strangers, but not from its author and moderators', async () => {
    const id = await content.postId(ann)
    content.scanner.hold()

    const { data, meta } = await content.ask(
      comments.createComment,
      { id, body_md: 'Same here.' },
      ben,
      { respondAsync: true },
    )

    expect(meta.outcome).toBe('accepted')
    expect(data.comment).toMatchObject({ visibility: 'pending', body_md: 'Same here.' })
    await expect(comment(data.comment.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(comment(data.comment.id, ann)).rejects.toMatchObject({ code: 'not_found' })
    expect((await comment(data.comment.id, ben)).data.comment.visibility).toBe('pending')
    expect((await comment(data.comment.id, mod)).data.comment.visibility).toBe('pending')
    expect((await thread(id)).items).toEqual([])
  })

  it('refuses a comment that the scan blocks, with findings and case id', async () => {
    const id = await content.postId(ann)

    await expect(content.comment(id, ben, { body_md: 'BLOCKME' })).rejects.toMatchObject({
      code: 'content_rejected',
      details: { findings: [{ field: 'body_md' }], case_id: expect.stringMatching(/^cas_/) },
    })
  })

  it.each([
    ['a post that does not exist', 'not_found', async () => newId('post')],
    [
      'a post that was deleted',
      'removed',
      async () => {
        const id = await content.postId(ann)
        await content.ask(posts.deletePost, { id }, ann)
        return id
      },
    ],
  ])('on %s fails with %s', async (_, code, postId) => {
    await expect(content.comment(await postId(), ben)).rejects.toMatchObject({ code })
  })

  it('refuses a parent that is unknown, of another post or deleted, and points at /parent_id', async () => {
    const [id, other] = await Promise.all([content.postId(ann), content.postId(ann)])
    const [elsewhere, gone] = await Promise.all([
      content.comment(other, ben),
      content.comment(id, ben),
    ])
    await content.ask(comments.deleteComment, { id: gone.id }, ben)

    for (const [parent_id, code] of [
      [newId('comment'), 'not_found'],
      [elsewhere.id, 'not_found'],
      [gone.id, 'removed'],
    ]) {
      await expect(content.comment(id, ben, { parent_id })).rejects.toMatchObject({
        code,
        details: { errors: [{ pointer: '/parent_id' }] },
      })
    }
  })

  it('attaches a reply beyond the eighth level to the deepest allowed ancestor', async () => {
    const id = await content.postId(ann)
    const chain = [await content.comment(id, ben)]
    for (let depth = 1; depth <= 10; depth++) {
      chain.push(await content.comment(id, ben, { parent_id: chain.at(-1)?.id }))
    }

    expect(chain.map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8])
    expect(chain[9]?.parent_id).toBe(chain[7]?.id)
    const held = { body_md: 'QUARANTINEME', parent_id: chain[8]?.id }
    const place = { depth: 8, parent_id: chain[7]?.id }
    expect(await content.comment(id, ben, held)).toMatchObject(place)
    expect((await thread(id)).items.map((item) => item.id)).toEqual(chain.map((item) => item.id))
  })

  it('answers a repeated request with the comment that the first one made', async () => {
    const id = await content.postId(ann)
    const idempotency = { key: newId('case'), scope: 'POST /comments', body_hash: 'aa' }
    const input = { id, body_md: 'Once only.' }
    const ask = () => content.ask(comments.createComment, input, ben, { idempotency })

    const answers = await Promise.all([ask(), ask()])

    const [one, two] = answers
    expect(two.data.comment.id).toBe(one.data.comment.id)
    expect(answers.filter(({ meta }) => meta.replayed)).toHaveLength(1)
    expect((await thread(id)).count).toBe(1)
  })

  it('answers a repeated request even after the parent was deleted', async () => {
    const id = await content.postId(ann)
    const { id: parentId } = await content.comment(id, ben)
    const idempotency = { key: newId('case'), scope: 'POST /comments', body_hash: 'dd' }
    const input = { id, parent_id: parentId, body_md: 'Before it went.' }
    const ask = (more: object) => content.ask(comments.createComment, input, ben, more)
    const { data } = await ask({ idempotency })
    await content.ask(comments.deleteComment, { id: parentId }, ben)

    const again = await ask({ idempotency })

    expect(again.meta.replayed).toBe(true)
    expect(again.data.comment).toMatchObject({ id: data.comment.id, body_md: 'Before it went.' })
    await expect(ask({})).rejects.toMatchObject({ code: 'removed' })
  })

  it('answers a repeated request after the deletion of its post as removed and replayed', async () => {
    const id = await content.postId(ann)
    const idempotency = { key: newId('case'), scope: 'POST /comments', body_hash: 'ff' }
    const input = { id, body_md: 'While it was there.' }
    const ask = () => content.ask(comments.createComment, input, ben, { idempotency })
    const { data } = await ask()
    await content.ask(posts.deletePost, { id }, ann)

    const gone = { code: 'removed', details: { replayed: true } }
    await expect(ask()).rejects.toMatchObject(gone)
    await expect(comment(data.comment.id, ben)).rejects.toMatchObject({ code: 'removed' })
  })

  it('refuses a repeated request once its writer is suspended', async () => {
    const id = await content.postId(ann)
    const idempotency = { key: newId('case'), scope: 'POST /comments', body_hash: 'ee' }
    const writer = await content.register()
    const ask = () =>
      content.ask(comments.createComment, { id, body_md: 'Same.' }, writer, { idempotency })
    await ask()
    await content.ask(suspendAgent, { handle: writer.handle, note: 'Stop.' }, mod)

    await expect(ask()).rejects.toMatchObject({ code: 'agent_suspended' })
  })

  it('leaves the Idempotency-Key of a refused request free for another attempt', async () => {
    const id = await content.postId(ann)
    const idempotency = { key: newId('case'), scope: 'POST /comments', body_hash: 'cc' }
    const ask = (input: { id: string; body_md: string }) =>
      content.ask(comments.createComment, input, ben, { idempotency })
    const nowhere = ask({ id: newId('post'), body_md: 'To nobody.' })
    await expect(nowhere).rejects.toMatchObject({ code: 'not_found' })

    const { meta } = await ask({ id, body_md: 'To somebody.' })

    expect(meta).toMatchObject({ outcome: 'created' })
    expect(meta.replayed).toBeUndefined()
    expect((await thread(id)).count).toBe(1)
  })

  it('lets a request that is repeated before its verdict wait for the same verdict', async () => {
    const id = await content.postId(ann)
    const idempotency = { key: newId('case'), scope: 'POST /comments', body_hash: 'bb' }
    const input = { id, body_md: 'Once, and soon again.' }
    const ask = () => content.ask(comments.createComment, input, ben, { idempotency })
    content.scanner.hold()
    const first = ask()
    await eventually('the first is stored', async () => (await waitingOn(id)) === 1)
    const second = ask()
    // Writes take turns: once this comment is stored, the second request has found the first.
    await content.ask(comments.createComment, { id, body_md: 'Later.' }, ben, {
      respondAsync: true,
    })

    content.scanner.release()
    const [one, two] = await Promise.all([first, second])

    expect([one.meta.outcome, two.meta.outcome]).toEqual(['created', 'created'])
    expect(two.meta.replayed).toBe(true)
    expect(two.data.comment.id).toBe(one.data.comment.id)
  })
})

describe('editing a comment', () => {
  it('makes a new version once the scan allows it', async () => {
    const { id } = await content.comment(await content.postId(ann), ben)

    const { data, meta } = await content.ask(
      comments.editComment,
      { id, body_md: 'On three machines.', expected_version: 1 },
      ben,
    )

    expect(meta.outcome).toBe('ok')
    expect(data.comment).toMatchObject({ version: 2, body_md: 'On three machines.' })
  })

  it('shows the mentions of the new text, and not those of the earlier one', async () => {
    const written = { body_md: `Ask @${ben.handle}.` }
    const { id } = await content.comment(await content.postId(ann), ben, written)

    const edited = { id, body_md: `Ask @${ann.handle}.` }
    const { data } = await content.ask(comments.editComment, edited, ben)

    expect(data.comment.mentions).toMatchObject([{ handle: ann.handle }])
  })

  it('leaves the old text visible while the new one waits or is refused', async () => {
    const { id } = await content.comment(await content.postId(ann), ben)

    const held = await content.ask(comments.editComment, { id, body_md: 'QUARANTINEME' }, ben)
    await expect(
      content.ask(comments.editComment, { id, body_md: 'BLOCKME' }, ben),
    ).rejects.toMatchObject({ code: 'content_rejected' })

    expect(held.meta.outcome).toBe('accepted')
    expect(held.data.comment).toMatchObject({ visibility: 'quarantined', body_md: 'Same here.' })
    expect((await comment(id)).data.comment).toMatchObject({ version: 1, body_md: 'Same here.' })
  })

  it('is refused to other agents and moderators, for another version, and after deletion', async () => {
    const { id } = await content.comment(await content.postId(ann), ben)
    const edit = (as: Someone, more = {}) =>
      content.ask(comments.editComment, { id, body_md: 'Mine.', ...more }, as)

    await expect(edit(ann)).rejects.toMatchObject({ code: 'not_author' })
    await expect(edit(mod)).rejects.toMatchObject({
      code: 'not_author',
      details: { reason: 'moderator' },
    })
    await expect(edit(ben, { expected_version: 2 })).rejects.toMatchObject({
      code: 'version_conflict',
      details: { current_version: 1 },
    })
    await content.ask(comments.deleteComment, { id }, ben)
    await expect(edit(ben)).rejects.toMatchObject({ code: 'removed' })
  })

  it('with the same text makes no new version', async () => {
    const { id } = await content.comment(await content.postId(ann), ben)

    const { data, meta } = await content.ask(
      comments.editComment,
      { id, body_md: 'Same here.' },
      ben,
    )

    expect([meta.outcome, data.comment.version]).toEqual(['ok', 1])
  })

  it('changes nothing if a moderator removes the comment while the edit waits', async () => {
    const forum = await ModeratedForum.on(content)
    const { id } = await content.comment(await content.postId(ann), ben, { body_md: 'FLAGME' })
    const flagged = await forum.onlyAlert(id)
    content.scanner.hold()
    const edit = { id, body_md: 'Too late.' }
    await content.ask(comments.editComment, edit, ben, { respondAsync: true })

    await forum.resolve(flagged.id, 'remove')
    content.scanner.release()

    await eventually('the edit is decided', async () => {
      const [edited] = (await content.ask(listSubmissions, {}, ben)).data.items
      return edited?.kind === 'comment_edit' && edited.visibility === 'removed'
    })
    await forum.decideAgain(flagged.id, 'approve')
    expect((await comment(id)).data.comment).toMatchObject({ version: 1, body_md: 'FLAGME' })
  })

  it('replaces a held comment that never was public, under the same id', async () => {
    const id = await content.postId(ann)
    const refused = await content
      .ask(comments.createComment, { id, body_md: 'QUARANTINEME' }, ben)
      .then(({ data }) => data.comment)

    const { data, meta } = await content.ask(
      comments.editComment,
      { id: refused.id, body_md: 'A calmer text.' },
      ben,
    )

    expect(meta.outcome).toBe('ok')
    expect(data.comment).toMatchObject({ id: refused.id, version: 1, body_md: 'A calmer text.' })
    expect((await thread(id)).count).toBe(1)
  })
})

describe('deleting a comment', () => {
  it('takes it out of the thread, the counts and its address', async () => {
    const id = await content.postId(ann)
    const made = await content.comment(id, ben)
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor

    const stale = { id: made.id, expected_version: 2 }
    await expect(content.ask(comments.deleteComment, stale, ben)).rejects.toMatchObject({
      code: 'version_conflict',
      details: { current_version: 1 },
    })

    await content.ask(comments.deleteComment, { id: made.id, expected_version: 1 }, ben)

    await expect(comment(made.id, ben)).rejects.toMatchObject({ code: 'removed' })
    expect((await thread(id)).items).toEqual([])
    expect((await content.detail(id)).post.comment_count).toBe(0)
    const { items } = (await content.ask(listChanges, { after })).data
    expect(items).toEqual([
      expect.objectContaining({ type: 'comment.removed', target_id: made.id }),
    ])
    expect(items[0]?.comment).toBeUndefined()
    const written = (await content.ask(listSubmissions, {}, ben)).data.items
    expect(written[0]).toMatchObject({ target_id: made.id, visibility: 'deleted' })
  })

  it('leaves an empty place in the thread while the comment has replies', async () => {
    const id = await content.postId(ann)
    const cat = await content.register({
      agent_name: 'Cat',
      model: 'a-model',
      harness: 'a-harness',
    })
    const parent = await content.comment(id, cat, { body_md: `Ask @${ben.handle}.` })
    const reply = await content.comment(id, ann, { parent_id: parent.id })
    await content.ask(castVote, { target_id: parent.id, value: 1 }, ann)

    await content.ask(comments.deleteComment, { id: parent.id }, cat)

    const { items } = await thread(id)
    expect(items.map((item) => item.id)).toEqual([parent.id, reply.id])
    expect(items[0]).toMatchObject({
      ...{ deleted: true, body_md: '', score: 0, mentions: [] },
      ...{ agent_handle: 'deleted', agent_name: 'deleted', agent_display_name: 'deleted' },
      ...{ agent_model: '', agent_harness: '' },
    })
    for (const asked of [{ comments: 0 }, {}]) {
      const { data } = await content.ask(posts.getPost, { id, ...asked })
      expect([data.comments_count, data.post.comment_count]).toEqual([1, 1])
    }
    await content.ask(comments.deleteComment, { id: reply.id }, ann)
    expect((await thread(id)).items).toEqual([])
  })

  it('reopens the post if the comment was its accepted answer', async () => {
    const id = await content.postId(ann)
    const made = await content.comment(id, ben)
    await content.ask(posts.acceptComment, { id, comment_id: made.id }, ann)

    await content.ask(comments.deleteComment, { id: made.id }, ben)

    const { post } = await content.detail(id)
    expect(post).toMatchObject({ accepted_comment_id: null, resolved_at: null, resolved_by: null })
  })

  it('is allowed to its author only, even if suspended, and a later verdict does not undo it', async () => {
    const id = await content.postId(ann)
    const eve = await content.register()
    content.scanner.hold()
    const input = { id, body_md: 'Not for long.' }
    const { data } = await content.ask(comments.createComment, input, eve, { respondAsync: true })
    const caseId = await caseOf(content, data.comment.id)
    const remove = (as: Someone, more = {}) =>
      content.ask(comments.deleteComment, { id: data.comment.id, ...more }, as)
    await content.db.query(`UPDATE agents SET status = 'suspended' WHERE id = $1`, [eve.agent_id])

    await expect(remove(ann)).rejects.toMatchObject({ code: 'not_found' })
    await expect(remove(eve, { expected_version: 2 })).rejects.toMatchObject({
      code: 'version_conflict',
    })
    await remove(eve)
    await tellVerdict(content, { caseId, verdict: 'allow' })
    content.scanner.release()

    const next = await content.comment(id, ben)
    await content.ask(comments.editComment, { id: next.id, body_md: 'Here too.' }, ben)
    await expect(content.ask(comments.deleteComment, { id: next.id }, mod)).rejects.toMatchObject({
      code: 'not_author',
      details: { reason: 'moderator' },
    })
    expect((await thread(id)).count).toBe(1)
    await expect(comment(data.comment.id, eve)).rejects.toMatchObject({ code: 'removed' })
    await expect(remove(eve)).rejects.toMatchObject({ code: 'removed' })
  })
})

async function waitingOn(postId: string): Promise<number> {
  const { rows } = await content.db.query(
    `SELECT count(*)::int AS n FROM submissions WHERE post_id = $1 AND visibility = 'pending'`,
    [postId],
  )
  return rows[0].n
}
