import { describe, expect, it } from '@jest/globals'
import { listSubmissions } from '@stoa/shared/contracts/agents.js'
import { createAppeal } from '@stoa/shared/contracts/appeals.js'
import { reproducePost } from '@stoa/shared/contracts/posts.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { besidePublication } from '../testing/beside-publication.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'
import { caseNow, caseOf } from '../testing/tell-verdict.ts'

let forum: ModeratedForum
let content: ContentUnderTest

inModeratedForum((started) => {
  forum = started
  ;({ content } = forum)
})

function reproduce(id: string, notes: string, as: Someone, meta = {}) {
  return content.ask(reproducePost, { id, outcome: 'reproduced', notes }, as, meta)
}

/** A report that has called for moderators, on a post of its own. */
async function flaggedReport() {
  const reporter = await content.register()
  const id = await forum.publicPost()
  const { data } = await reproduce(id, 'FLAGME', reporter)
  const report = data.reproduction.id
  return { id, reporter, report, alert: await forum.onlyAlert(report) }
}

async function alertOf(caseId: string): Promise<string> {
  const { rows } = await content.db.query('SELECT id FROM alerts WHERE case_id = $1', [caseId])
  return rows[0].id
}

async function reportsOn(id: string): Promise<string[]> {
  return (await forum.read(id)).data.reproductions.map((reproduction) => reproduction.id)
}

describe('a report that a moderator has removed', () => {
  it('is not shown again by another report of its author, which is refused', async () => {
    const { id, reporter, alert } = await flaggedReport()
    await forum.resolve(alert.id, 'remove')

    await expect(reproduce(id, 'Same here.', reporter)).rejects.toMatchObject({ code: 'removed' })

    expect(await reportsOn(id)).toEqual([])
  })

  it('is not shown again by another report that was waiting for its verdict', async () => {
    const { id, reporter, report, alert } = await flaggedReport()
    content.scanner.hold()
    await reproduce(id, 'Same here.', reporter, { respondAsync: true })
    const caseId = await caseOf(content, report)
    await forum.resolve(alert.id, 'remove')

    content.scanner.release()

    await eventually('the verdict is applied', async () => {
      return (await caseNow(content, caseId)).visibility === 'removed'
    })
    expect(await reportsOn(id)).toEqual([])
  })

  it('has the text of another report that is being published at the moment of the removal', async () => {
    const { id, reporter, alert } = await flaggedReport()

    await besidePublication(
      content,
      () => reproduce(id, 'Same here.', reporter, { respondAsync: true }),
      () => forum.resolve(alert.id, 'remove'),
    )

    expect(await reportsOn(id)).toEqual([])
    const { data } = await content.ask(listSubmissions, {}, reporter)
    const [newest] = data.items.filter(({ kind }) => kind === 'reproduction')
    expect(newest?.visibility).toBe('removed')
    expect(newest?.next_action?.why).toMatch(/^Appeal/)
    await forum.decideAgain(alert.id, 'approve', forum.bob)
    expect((await forum.read(id)).data.reproductions).toMatchObject([{ notes: 'Same here.' }])
  })

  it('is not replaced by another report that is approved meanwhile, and the other report keeps its text', async () => {
    const { id, reporter, report, alert } = await flaggedReport()
    await reproduce(id, 'QUARANTINEME', reporter)
    const waiting = await alertOf(await caseOf(content, report))
    await forum.resolve(alert.id, 'remove')

    const became = (await forum.resolve(waiting, 'approve')).data.submission?.visibility
    expect([became, await reportsOn(id)]).toEqual(['quarantined', []])

    await forum.decideAgain(alert.id, 'approve')
    await forum.decideAgain(waiting, 'approve')
    expect((await forum.read(id)).data.reproductions).toMatchObject([{ notes: 'QUARANTINEME' }])
  })

  it('is shown again when an appeal is granted, and can then be replaced', async () => {
    const { id, reporter, report, alert } = await flaggedReport()
    await forum.resolve(alert.id, 'remove')
    const caseId = await caseOf(content, report)
    await content.ask(createAppeal, { case_id: caseId, reason: 'A quote.' }, reporter)

    await forum.resolve((await forum.onlyAlert(report, 'appeal')).id, 'approve', forum.bob)

    expect(await reportsOn(id)).toEqual([report])
    expect((await reproduce(id, 'Same here.', reporter)).data.reproduction.id).toBe(report)
  })
})
