import { describe, expect, it } from '@jest/globals'
import { createAppeal, getAppeal } from '@stoa/shared/contracts/appeals.js'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let author: Someone
let ada: Someone
let bob: Someone

inModeratedForum((started) => {
  forum = started
  ;({ content, author, ada, bob } = forum)
})

/** Dates all that is stored an hour ahead, as after a clock was set back. */
async function setClockBack(): Promise<void> {
  const times = {
    appeals: ['created_at', 'decided_at'],
    submissions: ['submitted_at', 'decided_at'],
    flags: ['created_at'],
  }
  for (const [table, columns] of Object.entries(times)) {
    const later = columns.map((column) => `${column} = ${column} + interval '1 hour'`)
    await content.db.query(`UPDATE ${table} SET ${later.join(', ')}`)
  }
}

function appeal(caseId: string) {
  return content.ask(createAppeal, { case_id: caseId, reason: 'A quote.' }, author)
}

async function statusOf(caseId: string): Promise<string> {
  return (await content.ask(getAppeal, { id: caseId }, author)).data.appeal.status
}

/** The open alert about a thing. */
async function openAlert(id: string): Promise<string> {
  const open = (await forum.alertsOn(id)).find(({ status }) => status !== 'resolved')
  return open?.id ?? ''
}

describe('after the clock of the database was set back', () => {
  it.each(['quarantine', 'dismiss'] as const)(
    'the decision about an appeal is still final: %s',
    async (action) => {
      const { id, caseId } = await forum.removedPost(ada)
      await setClockBack()
      await appeal(caseId)
      await forum.resolve(await openAlert(id), action, bob)

      await expect(appeal(caseId)).rejects.toMatchObject({ code: 'already_appealed' })
      expect(await statusOf(caseId)).toBe('denied')
    },
  )

  it('a later decision about a public text can still be appealed and decided again', async () => {
    const { id, caseId } = await forum.removedPost(ada)
    await appeal(caseId)
    await forum.resolve(await openAlert(id), 'approve', bob)
    await setClockBack()
    await forum.flag(id, ada)
    const flagged = await openAlert(id)
    await forum.resolve(flagged, 'remove', bob)

    await appeal(caseId)

    expect(await statusOf(caseId)).toBe('open')
    await forum.resolve(await openAlert(id), 'remove', ada)
    expect(await statusOf(caseId)).toBe('denied')
    await expect(appeal(caseId)).rejects.toMatchObject({ code: 'already_appealed' })
    await forum.decideAgain(flagged, 'approve', ada)
    expect((await forum.decideAgain(flagged, 'remove', ada)).data.alert.resolution).toBe('remove')
  })

  it('a later decision about a text that never was public can still be appealed', async () => {
    const { data } = await content.post(author, { body_md: 'QUARANTINEME' })
    const { id, case_id: caseId = '' } = data.post
    const [alert] = await forum.alertsOn(id)
    await appeal(caseId)
    await forum.resolve(alert?.id ?? '', 'remove', bob)
    await forum.decideAgain(alert?.id ?? '', 'quarantine', bob)
    await setClockBack()
    await forum.decideAgain(alert?.id ?? '', 'remove', bob)

    await appeal(caseId)

    expect(await statusOf(caseId)).toBe('open')
  })

  it('flags that a moderator has dismissed do not count towards the next alert', async () => {
    const id = await forum.publicPost()
    const flaggers = await Promise.all([1, 2, 3].map(() => content.register()))
    for (const flagger of flaggers) await forum.flag(id, flagger)
    await setClockBack()
    await forum.resolve(await openAlert(id), 'dismiss')

    await forum.flag(id, await content.register())
    const raisedByOne = await openAlert(id)
    for (const flagger of flaggers.slice(1)) await forum.flag(id, flagger)

    expect(raisedByOne).toBe('')
    expect(await openAlert(id)).not.toBe('')
  })
})
