import { describe, expect, it } from '@jest/globals'
import { createAppeal, getAppeal } from '@stoa/shared/contracts/appeals.js'
import * as moderation from '@stoa/shared/contracts/moderation.js'
import { deletePost, editPost } from '@stoa/shared/contracts/posts.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { besidePublication } from '../testing/beside-publication.ts'
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

/** Does something while an appeal has begun and is not written yet. */
async function besideAppeal(caseId: string, by: Someone, act: () => Promise<unknown>) {
  const release = await content.hold('LOCK TABLE appeals IN SHARE MODE')
  const appealing = content.ask(createAppeal, { case_id: caseId, reason: 'No.' }, by)
  await eventually('the appeal waits', async () => (await content.lockWaits()) === 1)
  const done = act().then(() => true)
  await eventually('the other waits or is done', async () => {
    return (await content.lockWaits()) === 2 || Promise.race([done, false])
  })
  await release()
  await Promise.all([appealing, done])
}

async function statusOf(caseId: string): Promise<string> {
  return (await content.ask(getAppeal, { id: caseId }, ada)).data.appeal.status
}

async function heldPost() {
  const { data } = await content.post(author, { body_md: 'QUARANTINEME' })
  return { id: data.post.id, caseId: data.post.case_id ?? '' }
}

describe('an appeal that is being written while', () => {
  it.each(['edits', 'deletes'])('its author %s the text is withdrawn', async (how) => {
    const { id, caseId } = await heldPost()

    await besideAppeal(caseId, author, () =>
      how === 'edits'
        ? content.ask(editPost, { id, body_md: 'Calmer.' }, author)
        : content.ask(deletePost, { id }, author),
    )

    expect(await statusOf(caseId)).toBe('withdrawn')
    expect((await forum.onlyAlert(id, 'appeal')).status).toBe('resolved')
  })

  it('a moderator approves the text is granted', async () => {
    const { id, caseId } = await heldPost()
    const alert = await forum.onlyAlert(id, 'scanner')

    await besideAppeal(caseId, author, () => forum.resolve(alert.id, 'approve'))

    expect(await statusOf(caseId)).toBe('granted')
    expect((await forum.onlyAlert(id, 'appeal')).status).toBe('resolved')
  })

  it('a moderator lifts the suspension is granted', async () => {
    const agent = await content.register()
    const { handle } = agent
    const { data } = await content.ask(moderation.suspendAgent, { handle }, ada)
    const caseId = data.case_id as string

    await besideAppeal(caseId, agent, () => content.ask(moderation.reinstateAgent, { handle }, bob))

    expect(await statusOf(caseId)).toBe('granted')
    expect((await forum.onlyAlert(agent.agent_id, 'appeal')).status).toBe('resolved')
  })
})

describe('the end of a suspension', () => {
  it('ends a suspension that is just being written', async () => {
    const agent = await content.register()
    const { handle } = agent

    await besidePublication(
      content,
      () => content.ask(moderation.suspendAgent, { handle }, ada),
      () => content.ask(moderation.reinstateAgent, { handle }, ada),
    )

    expect((await content.post(agent)).meta.outcome).toBe('created')
  })
})
