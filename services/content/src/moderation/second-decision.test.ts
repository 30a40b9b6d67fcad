import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { getCommunity } from '@stoa/shared/contracts/communities.js'
import { claimAlert, createAppeal, getAlert, getAppeal } from '@stoa/shared/contracts/moderation.js'
import { editPost } from '@stoa/shared/contracts/posts.js'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { ModeratedForum } from '../testing/moderated-forum.ts'
import { drift } from '../testing/recount.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let author: Someone
let ada: Someone
let bob: Someone

beforeAll(async () => {
  forum = await ModeratedForum.start()
  ;({ content, author, ada, bob } = forum)
}, 60_000)

afterEach(async () => {
  expect(await drift(content.db)).toEqual([])
})

afterAll(() => content.stop(), 30_000)

const DECIDED = { code: 'already_decided' }

function appeal(caseId: string) {
  return content.ask(createAppeal, { case_id: caseId, reason: 'A quote.' }, author)
}

async function appealStatus(caseId: string): Promise<string> {
  const { data } = await content.ask(getAppeal, { id: caseId }, author)
  return data.appeal.status
}

/** A post that the scanner holds and whose author appealed, with both alerts about it. */
async function appealedPost() {
  const { data } = await content.post(author, { body_md: 'QUARANTINEME' })
  const { id, case_id: caseId = '' } = data.post
  await appeal(caseId)
  const [scanned, appealed] = [
    await forum.onlyAlert(id, 'scanner'),
    await forum.onlyAlert(id, 'appeal'),
  ]
  return { id, caseId, scanned, appealed }
}

describe('a decision about an appeal', () => {
  it.each(['approve', 'remove', 'dismiss'] as const)(
    'is one about every alert of its case: %s',
    async (action) => {
      const { id, scanned, appealed } = await appealedPost()

      await forum.resolve(appealed.id, action)

      expect(await forum.onlyAlert(id, 'scanner')).toMatchObject({
        ...{ status: 'resolved', resolution: action, resolved_by: ada.handle },
      })
      await expect(forum.resolve(scanned.id, 'quarantine', bob)).rejects.toMatchObject(DECIDED)
    },
  )

  it('is one about alerts that edits of the same text have raised', async () => {
    const id = await forum.publicPost('FLAGME')
    await content.ask(editPost, { id, body_md: 'FLAGME again' }, author)
    const [ofEdit, ofPost] = await forum.alertsOn(id)
    await forum.resolve(ofPost?.id as string, 'remove', ada)
    const caseId = (await forum.read(id, author)).data.post.case_id as string
    await appeal(caseId)

    await forum.resolve((await forum.onlyAlert(id, 'appeal')).id, 'approve', bob)

    await expect(forum.resolve(ofEdit?.id as string, 'remove')).rejects.toMatchObject(DECIDED)
    await forum.read(id)
  })

  it('leaves the alert about an edit that waits', async () => {
    const id = await forum.publicPost('FLAGME')
    await content.ask(editPost, { id, body_md: 'QUARANTINEME' }, author)
    const [ofEdit, ofPost] = await forum.alertsOn(id)
    await forum.resolve(ofPost?.id as string, 'remove', ada)
    const caseId = (await forum.read(id, author)).data.post.case_id as string
    await appeal(caseId)

    await forum.resolve((await forum.onlyAlert(id, 'appeal')).id, 'approve', bob)

    const { data } = await content.ask(getAlert, { id: ofEdit?.id as string }, ada)
    expect(data.alert.status).toBe('open')
    expect(data.submission?.visibility).toBe('quarantined')
  })

  it('is final where it denies', async () => {
    const { id, caseId, scanned, appealed } = await appealedPost()
    await forum.resolve(appealed.id, 'dismiss')

    await expect(forum.resolve(scanned.id, 'approve', bob)).rejects.toMatchObject(DECIDED)

    expect(await appealStatus(caseId)).toBe('denied')
    await expect(forum.read(id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('what a moderator has hidden', () => {
  it.each(['remove', 'quarantine'] as const)(
    'comes back when the same alert is approved: %s',
    async (action) => {
      const id = await forum.publicPost('FLAGME')
      const alert = await forum.onlyAlert(id)
      await forum.resolve(alert.id, action)

      const { data } = await forum.resolve(alert.id, 'approve')

      expect(data.alert).toMatchObject({ status: 'resolved', resolution: 'approve' })
      await forum.read(id)
      const { rows } = await content.db.query(
        'SELECT action FROM audit WHERE alert_id = $1 ORDER BY seq',
        [alert.id],
      )
      expect(rows.map((row) => row.action)).toEqual([`alert.${action}`, 'alert.approve'])
    },
  )

  it('comes back where nobody can appeal: a community of the installation', async () => {
    const { data } = await content.ask(getCommunity, { slug: 'meta' })
    const { id } = data.community
    await forum.flag(id, ada)
    const alert = await forum.onlyAlert(id)
    await forum.resolve(alert.id, 'quarantine')

    await forum.resolve(alert.id, 'approve', bob)

    await content.ask(getCommunity, { slug: 'meta' })
  })

  it('comes back when nobody had seen it before', async () => {
    const { data } = await content.post(author, { body_md: 'QUARANTINEME' })
    const alert = await forum.onlyAlert(data.post.id)
    await forum.resolve(alert.id, 'remove')

    await forum.resolve(alert.id, 'approve', bob)

    await forum.read(data.post.id)
  })

  it('comes back with the appeal granted, but not by whom the appeal is about', async () => {
    const { id, caseId } = await forum.removedPost(ada)
    const alert = await forum.onlyAlert(id)
    await appeal(caseId)

    await expect(forum.resolve(alert.id, 'approve', ada)).rejects.toMatchObject({
      code: 'own_decision',
    })
    await forum.resolve(alert.id, 'approve', bob)

    expect(await appealStatus(caseId)).toBe('granted')
    expect((await forum.onlyAlert(id, 'appeal')).status).toBe('resolved')
  })

  it('is the only thing that is decided about again', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)
    await forum.resolve(alert.id, 'dismiss')

    await expect(forum.resolve(alert.id, 'approve', bob)).rejects.toMatchObject(DECIDED)
    await expect(forum.resolve(alert.id, 'remove')).rejects.toMatchObject(DECIDED)
  })
})

describe('a moderator', () => {
  it('decides neither about a text of its own nor about flags on it', async () => {
    const { data: held } = await content.post(ada, { body_md: 'QUARANTINEME' })
    const { data: open } = await content.post(ada)
    await forum.flag(open.post.id, bob)
    const own = { code: 'own_decision' }

    for (const id of [held.post.id, open.post.id]) {
      const alert = await forum.onlyAlert(id)
      await expect(forum.resolve(alert.id, 'approve', ada)).rejects.toMatchObject(own)
      await expect(forum.resolve(alert.id, 'dismiss', ada)).rejects.toMatchObject(own)
      await expect(content.ask(claimAlert, { id: alert.id }, ada)).rejects.toMatchObject(own)
      await forum.resolve(alert.id, 'dismiss', bob)
    }
  })
})
