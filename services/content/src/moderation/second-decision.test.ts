import { describe, expect, it } from '@jest/globals'
import { createAppeal, getAppeal } from '@stoa/shared/contracts/appeals.js'
import { getCommunity } from '@stoa/shared/contracts/communities.js'
import { createFlag } from '@stoa/shared/contracts/flags.js'
import {
  claimAlert,
  getAlert,
  listAlerts,
  suspendAgent,
} from '@stoa/shared/contracts/moderation.js'
import { deletePost, editPost } from '@stoa/shared/contracts/posts.js'
import { wordingOf } from '@stoa/shared/errors/errors.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let author: Someone
let ada: Someone
let bob: Someone
let flagger: Someone

inModeratedForum(async (started) => {
  forum = started
  ;({ content, author, ada, bob } = forum)
  flagger = await content.register()
})

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
    "also resolves the scanner's alert about the same case: %s",
    async (action) => {
      const { id, scanned, appealed } = await appealedPost()

      await forum.resolve(appealed.id, action)

      expect(await forum.onlyAlert(id, 'scanner')).toMatchObject({
        status: 'resolved',
        resolution: action,
        resolved_by: ada.handle,
      })
      await expect(forum.resolve(scanned.id, 'quarantine', bob)).rejects.toMatchObject(DECIDED)
    },
  )

  it('also resolves alerts that edits of the same post have raised', async () => {
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

  it('leaves open the alert about an edit that still waits', async () => {
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

  it('that denies the appeal can be changed in favour of the author', async () => {
    const { id, caseId, appealed } = await appealedPost()
    await forum.resolve(appealed.id, 'dismiss')

    await forum.decideAgain(appealed.id, 'approve', bob)

    await forum.read(id)
    expect(await appealStatus(caseId)).toBe('denied')
  })

  it('that grants the appeal can be reversed only by a new alert', async () => {
    const { id, caseId } = await forum.removedPost(ada)
    const alert = await forum.onlyAlert(id)
    await appeal(caseId)
    const appealed = await forum.onlyAlert(id, 'appeal')
    await forum.resolve(appealed.id, 'approve', bob)

    for (const decided of [alert.id, appealed.id]) {
      const again = forum.decideAgain(decided, 'quarantine', ada)
      await expect(again).rejects.toMatchObject(DECIDED)
    }
    // The moderator who removed it is refused too, as this is no repetition.
    await expect(forum.decideAgain(alert.id, 'remove', ada)).rejects.toMatchObject(DECIDED)
    await forum.flag(id, ada)
    await forum.resolve((await forum.onlyAlert(id, 'flags')).id, 'remove', ada)

    await expect(forum.read(id)).rejects.toMatchObject({ code: 'removed' })
    await appeal(caseId)
  })
})

describe('an edit that an appeal has made public', () => {
  it('can be hidden only by a new alert, not by deciding again about the alert that held it', async () => {
    const id = await forum.publicPost()
    await content.ask(editPost, { id, body_md: 'QUARANTINEME' }, author)
    const held = await forum.onlyAlert(id)
    await appeal(held.case_id as string)
    await forum.resolve((await forum.onlyAlert(id, 'appeal')).id, 'approve', bob)

    const again = forum.decideAgain(held.id, 'remove', ada)

    await expect(again).rejects.toMatchObject(DECIDED)
    await forum.read(id)
  })
})

describe('a text that a moderator has hidden', () => {
  it.each(['remove', 'quarantine'] as const)(
    'is shown again when the same alert is approved: %s',
    async (action) => {
      const id = await forum.publicPost('FLAGME')
      const alert = await forum.onlyAlert(id)
      await forum.resolve(alert.id, action)

      const { data } = await forum.decideAgain(alert.id, 'approve', ada)

      expect(data.alert).toMatchObject({ status: 'resolved', resolution: 'approve' })
      await forum.read(id)
      const { rows } = await content.db.query(
        'SELECT action FROM audit WHERE alert_id = $1 ORDER BY seq',
        [alert.id],
      )
      expect(rows.map((row) => row.action)).toEqual([`alert.${action}`, 'alert.approve'])
    },
  )

  it('is shown again on approval even if nobody can appeal: a community of the installation', async () => {
    const { data } = await content.ask(getCommunity, { slug: 'meta' })
    const { id } = data.community
    await forum.flag(id, ada)
    const alert = await forum.onlyAlert(id)
    await forum.resolve(alert.id, 'quarantine')

    await forum.decideAgain(alert.id, 'approve', bob)

    await content.ask(getCommunity, { slug: 'meta' })
  })

  it('is published on approval if it never was public', async () => {
    const { data } = await content.post(author, { body_md: 'QUARANTINEME' })
    const alert = await forum.onlyAlert(data.post.id)
    await forum.resolve(alert.id, 'remove')

    await forum.decideAgain(alert.id, 'approve', bob)

    await forum.read(data.post.id)
  })

  it('is shown again with its appeal granted, but not by the moderator whose decision was appealed', async () => {
    const { id, caseId } = await forum.removedPost(ada)
    const alert = await forum.onlyAlert(id)
    await appeal(caseId)

    await expect(forum.decideAgain(alert.id, 'approve', ada)).rejects.toMatchObject({
      code: 'own_decision',
    })
    await forum.decideAgain(alert.id, 'approve', bob)

    expect(await appealStatus(caseId)).toBe('granted')
    expect((await forum.onlyAlert(id, 'appeal')).status).toBe('resolved')
  })

  it('is shown again by approving an earlier alert that had been approved before another alert hid the text', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)
    await forum.resolve(alert.id, 'approve')
    await forum.flag(id, bob)
    await forum.resolve((await forum.onlyAlert(id, 'flags')).id, 'remove', bob)

    await forum.decideAgain(alert.id, 'approve', ada)

    await forum.read(id)
  })
})

describe('a text that a moderator has left public by mistake', () => {
  it.each([
    ['dismiss', 'remove'],
    ['approve', 'quarantine'],
  ] as const)('is hidden when the same alert is decided again: %s, then %s', async (...acts) => {
    const [mistake, action] = acts
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)
    await forum.resolve(alert.id, mistake)

    const { data } = await forum.decideAgain(alert.id, action, bob)

    expect(data.alert).toMatchObject({ resolution: action, resolved_by: bob.handle })
    await expect(forum.read(id)).rejects.toMatchObject({ code: 'removed' })
    const { rows } = await content.db.query(
      'SELECT moderator, action FROM audit WHERE alert_id = $1 ORDER BY seq',
      [alert.id],
    )
    expect(rows.map((row) => [row.moderator, row.action])).toEqual([
      [ada.handle, `alert.${mistake}`],
      [bob.handle, `alert.${action}`],
    ])
    await appeal((await forum.read(id, author)).data.post.case_id as string)
  })

  it('is hidden by another decision if it was a held post or a flag note', async () => {
    const { data } = await content.post(author, { body_md: 'QUARANTINEME' })
    const held = await forum.onlyAlert(data.post.id)
    const flagged = {
      target_id: await forum.publicPost(),
      reason: 'spam' as const,
      note: 'QUARANTINEME',
    }
    const { data: raised } = await content.ask(createFlag, flagged, flagger)
    const noted = await eventually('the note is held', () => forum.onlyAlert(raised.flag.id))
    for (const { id } of [held, noted]) await forum.resolve(id, 'approve')

    for (const { id } of [held, noted]) await forum.decideAgain(id, 'remove', ada)

    await expect(forum.read(data.post.id)).rejects.toMatchObject({ code: 'removed' })
    const { data: shown } = await content.ask(getAlert, { id: noted.id }, ada)
    expect(shown.submission?.visibility).toBe('rejected')
    expect(shown.flags.map(({ note }) => note)).toEqual([''])
  })
})

describe('a resolved alert', () => {
  it('keeps its decision if a request does not name the decision that it replaces', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)
    await forum.resolve(alert.id, 'remove')

    await expect(forum.resolve(alert.id, 'approve', bob)).rejects.toMatchObject(DECIDED)
    const first = await forum.resolvedAt(alert.id)
    await forum.resolve(alert.id, 'approve', ada, first)
    await forum.decideAgain(alert.id, 'remove', bob)
    // Like the form of an old page, or a request that is repeated.
    await expect(forum.resolve(alert.id, 'approve', ada, first)).rejects.toMatchObject(DECIDED)

    await expect(forum.read(id)).rejects.toMatchObject({ code: 'removed' })
  })

  it('is decided again once if two moderators decide at the same time', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)
    await forum.resolve(alert.id, 'dismiss')

    const first = await forum.resolvedAt(alert.id)
    const [removed, held] = await Promise.allSettled([
      forum.resolve(alert.id, 'remove', ada, first),
      forum.resolve(alert.id, 'quarantine', bob, first),
    ])

    expect([removed.status, held.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('does not change if the same decision is sent twice', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)
    await forum.resolve(alert.id, 'dismiss')
    const instead = await forum.resolvedAt(alert.id)
    const decide = () => forum.resolve(alert.id, 'remove', ada, instead)

    const [first, second] = [await decide(), await decide()]

    const third = await forum.decideAgain(alert.id, 'remove', ada)

    expect(second.data.alert).toEqual(first.data.alert)
    expect(third.data.alert).toEqual(first.data.alert)
  })

  it('lists as its actions the decisions that would change how its text stands', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)
    const actions = async () => (await content.ask(getAlert, { id: alert.id }, ada)).data.actions
    const said = [await actions()]
    await forum.decideAgain(alert.id, 'dismiss')
    said.push(await actions())
    await forum.decideAgain(alert.id, 'quarantine', ada)
    said.push(await actions())
    await content.ask(deletePost, { id }, author)
    said.push(await actions())

    expect(said).toEqual([
      ['approve', 'remove', 'quarantine', 'dismiss'],
      ['remove', 'quarantine'],
      ['approve', 'remove'],
      [],
    ])
    const again = forum.decideAgain(alert.id, 'remove', ada)
    await expect(again).rejects.toMatchObject(DECIDED)
  })

  it('about a suspension refuses another decision, and says how to reinstate the agent', async () => {
    const agent = await content.register()
    const { data } = await content.ask(suspendAgent, { handle: agent.handle }, ada)
    const appealed = { case_id: data.case_id as string, reason: 'It was a test.' }
    await content.ask(createAppeal, appealed, agent)
    const alerts = await content.ask(listAlerts, { agent: agent.handle }, bob)
    const id = alerts.data.items[0]?.id as string
    await forum.resolve(id, 'dismiss', bob)

    const refusal = await forum.decideAgain(id, 'approve', bob).catch((error) => error)

    expect(refusal).toMatchObject(DECIDED)
    expect(wordingOf(refusal).fix).toMatch(/its actions .*agents\/\{handle\}\/reinstate/)
  })
})

describe('a moderator', () => {
  it('cannot decide or claim alerts about its own texts, whether held or flagged', async () => {
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
