import { describe, expect, it } from '@jest/globals'
import { getWrite, listSubmissions } from '@stoa/shared/contracts/agents.js'
import {
  createComment,
  deleteComment,
  editComment,
  getComment,
} from '@stoa/shared/contracts/comments.js'
import { createPost, deletePost, editPost, reproducePost } from '@stoa/shared/contracts/posts.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inModeratedForum } from '../../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest

inModeratedForum((started) => {
  forum = started
  ;({ content } = forum)
})

function aWrite() {
  return { idempotency: { key: newId('case'), scope: 'POST /somewhere', body_hash: 'aa' } }
}

async function submissionsOf(agent: Someone, visibility?: 'public' | 'removed') {
  const asked = visibility ? { visibility } : {}
  return (await content.ask(listSubmissions, asked, agent)).data.items.filter(
    ({ kind }) => kind !== 'profile',
  )
}

async function wordOf({ idempotency: { key } }: ReturnType<typeof aWrite>, agent: Someone) {
  return (await content.ask(getWrite, { idempotency_key: key }, agent)).data.visibility
}

/** Another agent's comment and reproduction on a post, and the Idempotency-Keys of its writes. */
async function thread() {
  const id = await forum.publicPost('FLAGME')
  const agent = await content.register()
  const writes = [aWrite(), aWrite()] as const
  const reported = { id, outcome: 'reproduced', notes: 'Here too.' } as const
  const { data } = await content.ask(createComment, { id, body_md: 'Here.' }, agent, writes[0])
  const comment = data.comment.id
  await content.ask(editComment, { id: comment, body_md: 'Here as well.' }, agent)
  await content.ask(reproducePost, reported, agent, writes[1])
  return { id, agent, comment, writes }
}

describe('the visibility that an agent sees of its own texts', () => {
  it('is removed after the post on which they were written was deleted', async () => {
    const { id, agent, writes } = await thread()

    await content.ask(deletePost, { id }, forum.author)

    expect(await submissionsOf(agent, 'public')).toEqual([])
    const gone = await submissionsOf(agent, 'removed')
    expect(gone.map(({ kind }) => kind)).toEqual(['reproduction', 'comment_edit', 'comment'])
    expect(gone.map(({ next_action }) => next_action?.method)).toEqual(['GET', 'GET', 'GET'])
    expect(await submissionsOf(agent)).toEqual(gone)
    for (const write of writes) expect(await wordOf(write, agent)).toBe('removed')
  })

  it('is public again once the hidden post is shown again', async () => {
    const { id, agent, writes } = await thread()
    const { id: alert } = await forum.onlyAlert(id)
    await forum.resolve(alert, 'remove')
    const away = await submissionsOf(agent, 'public')

    await forum.decideAgain(alert, 'approve')

    expect(away).toEqual([])
    expect(await submissionsOf(agent, 'public')).toHaveLength(3)
    for (const write of writes) expect(await wordOf(write, agent)).toBe('public')
  })

  it('follows the post also for a comment that was replaced before it was public', async () => {
    const id = await forum.publicPost('FLAGME')
    const agent = await content.register()
    const write = aWrite()
    const sent = { id, body_md: 'QUARANTINEME' }
    const { comment } = (await content.ask(createComment, sent, agent, write)).data
    await content.ask(editComment, { id: comment.id, body_md: 'Calmer.' }, agent)
    expect(await wordOf(write, agent)).toBe('public')

    await content.ask(deletePost, { id }, forum.author)

    expect(await wordOf(write, agent)).toBe('removed')
  })

  it('is never_public for a comment whose post was deleted before the comment was published', async () => {
    const id = await forum.publicPost('FLAGME')
    const agent = await content.register()
    content.scanner.hold()
    const sent = { id, body_md: 'Too late.' }
    const { comment } = (
      await content.ask(createComment, sent, agent, { ...aWrite(), respondAsync: true })
    ).data
    await content.ask(deletePost, { id }, forum.author)
    content.scanner.release()
    await eventually('it is decided', async () => {
      const decided = `SELECT FROM submissions WHERE target_id = $1 AND visibility = 'removed'`
      return (await content.db.query(decided, [comment.id])).rowCount
    })

    const about = { id: comment.id }
    for (const attempt of [
      () => content.ask(getComment, about, agent),
      () => content.ask(editComment, { ...about, body_md: 'Again.' }, agent),
      () => content.ask(deleteComment, about, agent),
    ]) {
      const gone = { code: 'removed', details: { reason: 'never_public' } }
      await expect(attempt()).rejects.toMatchObject(gone)
    }
  })

  it('is found page by page if many of its submissions are public since', async () => {
    const { id, agent } = await thread()
    await forum.resolve((await forum.onlyAlert(id)).id, 'remove')
    await content.db.query(
      `INSERT INTO submissions (id, kind, target_id, agent_id, visibility, submitted_at, decided_at,
         requested_at)
       SELECT 'cas_f' || substr(md5(n::text), 2), 'comment', 'cmt_' || n, $1, 'public', now(), now(), now()
       FROM generate_series(1, 500) AS n`,
      [agent.agent_id],
    )
    const ask = async (before?: string) =>
      (await content.ask(listSubmissions, { visibility: 'removed', before }, agent)).data

    const first = await ask()
    const second = await ask(first.next_before as string)
    await content.db.query(`DELETE FROM submissions WHERE id LIKE 'cas_f%' AND agent_id = $1`, [
      agent.agent_id,
    ])

    expect(first.items).toEqual([])
    expect(second.items).toHaveLength(3)
    expect(second.next_before).toBeNull()
  })

  it('is removed for each version of a post that a moderator removed, with one appeal for all', async () => {
    const agent = await content.register()
    const write = aWrite()
    const text = { slug: 'general', title: 'A cold cache', kind: 'result' } as const
    const made = { ...text, body_md: 'The cache was cold.' }
    const { id } = (await content.ask(createPost, made, agent, write)).data.post
    await content.ask(editPost, { id, body_md: 'FLAGME' }, agent)

    await forum.resolve((await forum.onlyAlert(id)).id, 'remove')

    const items = await submissionsOf(agent)
    expect(items.map(({ kind, visibility }) => [kind, visibility])).toEqual([
      ['post_edit', 'removed'],
      ['post', 'removed'],
    ])
    // One decision allows one appeal.
    expect(items.map(({ next_action }) => next_action?.method)).toEqual(['GET', 'POST'])
    expect(await wordOf(write, agent)).toBe('removed')
  })
})

describe('a comment on a hidden or deleted post', () => {
  it('answers removed to other agents who try to edit or delete it', async () => {
    const { id, comment } = await thread()
    const other = await content.register()
    const attempts = [
      () => content.ask(editComment, { id: comment, body_md: 'Mine now.' }, other),
      () => content.ask(deleteComment, { id: comment }, other),
    ]
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: 'not_author' })
    }

    await content.ask(deletePost, { id }, forum.author)

    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: 'removed' })
    }
  })

  it("keeps its held text if its author's edit is refused", async () => {
    const id = await forum.publicPost('FLAGME')
    const agent = await content.register()
    const sent = { id, body_md: 'QUARANTINEME' }
    const held = (await content.ask(createComment, sent, agent)).data.comment.id
    await forum.resolve((await forum.onlyAlert(id)).id, 'remove')

    const edit = content.ask(editComment, { id: held, body_md: 'A calmer text.' }, agent)

    await expect(edit).rejects.toMatchObject({ code: 'removed' })
    const words = (await submissionsOf(agent)).map(({ visibility }) => visibility)
    expect(words).toEqual(['quarantined'])
  })

  it('can still be deleted by its author', async () => {
    const { id, agent, comment } = await thread()
    await content.ask(deletePost, { id }, forum.author)

    await content.ask(deleteComment, { id: comment }, agent)

    const words = (await submissionsOf(agent)).map(({ kind, visibility }) => [kind, visibility])
    expect(words).toEqual([
      ['reproduction', 'removed'],
      ['comment_edit', 'deleted'],
      ['comment', 'deleted'],
    ])
  })
})
