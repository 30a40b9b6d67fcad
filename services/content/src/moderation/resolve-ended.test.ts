import { describe, expect, it } from '@jest/globals'
import { createFlag } from '@stoa/shared/contracts/flags.js'
import { type AlertAction, getAlert } from '@stoa/shared/contracts/moderation.js'
import { deletePost, editPost } from '@stoa/shared/contracts/posts.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let author: Someone

inModeratedForum((started) => {
  forum = started
  ;({ content, author } = forum)
})

/** Decides the only alert on a target, and returns the visibility of the text and of the target. */
async function decide(targetId: string, action: AlertAction) {
  const { data } = await forum.resolve((await forum.onlyAlert(targetId)).id, action)
  return [data.submission?.visibility ?? null, data.shown?.visibility ?? null]
}

const edit = (id: string, body: string) => content.ask(editPost, { id, body_md: body }, author)

async function heldPost(): Promise<string> {
  const { data } = await content.post(author, { body_md: 'QUARANTINEME' })
  return data.post.id
}

async function heldEdit(): Promise<string> {
  const id = await forum.publicPost()
  await edit(id, 'QUARANTINEME')
  return id
}

describe('resolving an alert answers the visibility', () => {
  it.each([
    ['approve', ['public', 'public']],
    ['remove', ['rejected', 'public']],
    ['quarantine', ['quarantined', 'public']],
    ['dismiss', ['quarantined', 'public']],
  ] as const)('of an edit and its post: %s', async (action, became) => {
    const id = await heldEdit()

    expect(await decide(id, action)).toEqual(became)
    expect((await forum.read(id)).data.post.visibility).toBeUndefined()
  })

  it.each([
    ['approve', ['public', 'public']],
    ['remove', ['rejected', null]],
  ] as const)('of a post that never was public: %s', async (action, became) => {
    expect(await decide(await heldPost(), action)).toEqual(became)
  })

  it('of a post that its author has deleted', async () => {
    const id = await forum.publicPost('FLAGME')
    await content.ask(deletePost, { id }, author)

    expect((await decide(id, 'approve'))[1]).toBe('deleted')
    await expect(forum.read(id)).rejects.toMatchObject({ code: 'removed' })
  })

  it('of a flag note, which strangers never see', async () => {
    const note = { target_id: await forum.publicPost(), reason: 'spam', note: 'FLAGME' } as const
    const { data } = await content.ask(createFlag, note, await content.register())
    await eventually('its alert', () => forum.onlyAlert(data.flag.id).catch(() => false))

    expect(await decide(data.flag.id, 'approve')).toEqual(['public', null])
  })
})

describe('a note on a flag', () => {
  /** A public post with a flag whose note called for moderators and was let through. */
  async function flagWithNote() {
    const postId = await forum.publicPost()
    await forum.flag(postId, forum.bob)
    const note = { target_id: postId, reason: 'spam', note: 'FLAGME' } as const
    const { data } = await content.ask(createFlag, note, await content.register())
    const { id } = await eventually('its alert', () =>
      forum.onlyAlert(data.flag.id).catch(() => false as const),
    )
    return { postId, alertId: id }
  }

  async function notesOn(targetId: string): Promise<string[]> {
    const { id } = await forum.onlyAlert(targetId, 'flags')
    const { data } = await content.ask(getAlert, { id }, forum.ada)
    return data.flags.map(({ note }) => note).filter((note) => note !== '')
  }

  it.each([
    ['remove', 'rejected'],
    ['quarantine', 'quarantined'],
  ] as const)(
    'is hidden from its flag by a decision, and shown again by another: %s',
    async (action, became) => {
      const { postId, alertId } = await flagWithNote()
      expect(await notesOn(postId)).toEqual(['> FLAGME'])

      const { data } = await forum.resolve(alertId, action)
      const hidden = await notesOn(postId)
      await forum.decideAgain(alertId, 'approve')

      expect(data.submission?.visibility).toBe(became)
      expect(hidden).toEqual([])
      expect(await notesOn(postId)).toEqual(['> FLAGME'])
    },
  )
})

describe('a decision about an edit', () => {
  it('waits for the deletion of its target before it locks the edit', async () => {
    const id = await forum.publicPost()
    await edit(id, 'FLAGME')
    const alert = await forum.onlyAlert(id)
    const first = `SELECT 1 FROM submissions WHERE target_id = $1 AND kind = 'post' FOR UPDATE`
    const second = `SELECT 1 FROM submissions WHERE id = $1 FOR UPDATE NOWAIT`

    // Like a deletion, which locks the cases in id order and the order of publication last.
    const deleting = await content.db.connect()
    await deleting.query('BEGIN')
    await deleting.query(first, [id])
    const deciding = forum.resolve(alert.id, 'remove')
    await eventually('the decision waits', async () => (await content.lockWaits()) === 1)
    const taken = await deleting.query(second, [alert.case_id]).catch((error: unknown) => error)
    await deleting.query('ROLLBACK')
    deleting.release()
    await deciding

    expect(taken).toMatchObject({ rowCount: 1 })
  })
})

describe('a text that its author has replaced', () => {
  it('is not published by a later decision', async () => {
    const id = await heldPost()
    const first = await forum.onlyAlert(id)
    await edit(id, 'QUARANTINEME again')

    const { data } = await forum.resolve(first.id, 'approve')

    expect([data.submission?.visibility, data.shown]).toEqual(['superseded', null])
    await expect(forum.read(id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each(['remove', 'quarantine'] as const)(
    'is decided without hiding the public version: %s',
    async (action) => {
      const id = await heldEdit()
      await edit(id, 'Nothing is wrong with this.')

      expect(await decide(id, action)).toEqual(['superseded', 'public'])
      expect((await forum.read(id)).data.post.body_md).toBe('Nothing is wrong with this.')
    },
  )
})
