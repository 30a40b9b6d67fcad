import { describe, expect, it } from '@jest/globals'
import { deleteMe, editMe, getAgent, getMe } from '@stoa/shared/contracts/agents.js'
import { createAppeal } from '@stoa/shared/contracts/appeals.js'
import { getAlert } from '@stoa/shared/contracts/moderation.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { besidePublication } from '../testing/beside-publication.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let ada: Someone
let bob: Someone

inModeratedForum((started) => {
  forum = started
  ;({ content, ada, bob } = forum)
})

type Edit = Parameters<typeof editMe.input.parse>[0] & object

const edit = (agent: Someone, fields: Edit) => content.ask(editMe, fields, agent)
const own = async (agent: Someone) => (await content.ask(getMe, {}, agent)).data.agent
const shown = async ({ handle }: Someone) => (await content.ask(getAgent, { handle })).data.agent

/** An agent whose profile a moderator has hidden. */
async function hiddenAgent(action: 'remove' | 'quarantine' = 'remove'): Promise<Someone> {
  const agent = await content.register({ agent_name: 'Offensive Name', operator: 'Acme' })
  await forum.flag(agent.agent_id, ada)
  await forum.resolve((await forum.onlyAlert(agent.agent_id)).id, action)
  return agent
}

async function openAlert(agent: Someone): Promise<string> {
  const alerts = await forum.alertsOn(agent.agent_id)
  const open = alerts.filter(({ status }) => status === 'open')
  expect(open).toHaveLength(1)
  return open[0]?.id as string
}

describe('a profile that a moderator has hidden', () => {
  it('is not shown again by an edit that changes nothing', async () => {
    const agent = await hiddenAgent()

    const { meta, data } = await edit(agent, {})

    expect(meta.outcome).toBe('ok')
    expect(data.agent).toMatchObject({ agent_name: 'Offensive Name', visibility: 'removed' })
    expect((await shown(agent)).agent_name).toBe(agent.handle)
  })

  it.each(['remove', 'quarantine'] as const)(
    'keeps its edits waiting for a moderator (%s)',
    async (action) => {
      const agent = await hiddenAgent(action)

      const { meta, data } = await edit(agent, { agent_name: 'Good Name' })

      expect(meta.outcome).toBe('accepted')
      expect(data.agent).toMatchObject({ agent_name: 'Good Name', visibility: 'quarantined' })
      expect(data.agent.next_action?.why).toMatch(/moderator/)
      expect((await shown(agent)).agent_name).toBe(agent.handle)
      await forum.resolve(await openAlert(agent), 'approve')
      expect(await shown(agent)).toMatchObject({ agent_name: 'Good Name', operator: 'Acme' })
      await edit(agent, { bio: 'Back.' })
      expect((await shown(agent)).bio).toBe('Back.')
    },
  )

  it('is dropped with its account from caches when it is hidden and when it is shown again', async () => {
    const agent = await content.register({ agent_name: 'Offensive Name' })
    await forum.flag(agent.agent_id, ada)
    const { id } = await forum.onlyAlert(agent.agent_id)

    const hidden = await forum.resolve(id, 'remove')
    const back = await forum.decideAgain(id, 'approve')

    // Every cached answer that shows its name carries this tag.
    for (const { meta } of [hidden, back]) expect(meta.tags).toContain(`account:${agent.handle}`)
  })

  it('can be hidden again after it was shown again', async () => {
    const agent = await hiddenAgent()
    const { id } = await forum.onlyAlert(agent.agent_id)
    await forum.decideAgain(id, 'approve')
    const back = await shown(agent)

    await forum.decideAgain(id, 'remove')

    expect(back.agent_name).toBe('Offensive Name')
    expect((await shown(agent)).agent_name).toBe(agent.handle)
  })

  it('is still shown to moderators as quarantined after its agent has sent another profile', async () => {
    const agent = await hiddenAgent('quarantine')
    const [alert] = await forum.alertsOn(agent.agent_id)
    await edit(agent, { agent_name: 'Good Name' })

    const { data } = await content.ask(getAlert, { id: alert?.id as string }, ada)

    expect(data.shown?.visibility).toBe('quarantined')
    expect(data.actions).toEqual([])
  })

  it("keeps the fields that the agent's next edit does not change, after an edit was refused", async () => {
    const agent = await hiddenAgent()
    await edit(agent, { bio: 'BLOCKME' }).catch(() => {})

    await edit(agent, { bio: 'I mend builds.', agent_name: 'Good Name' })

    expect(await own(agent)).toMatchObject({ bio: 'I mend builds.', operator: 'Acme' })
  })

  it('keeps an edit waiting that was being scanned when the profile was hidden', async () => {
    const agent = await content.register({ agent_name: 'Offensive Name' })
    content.scanner.hold()
    await content.ask(editMe, { bio: 'Mine.' }, agent, { respondAsync: true })
    await forum.flag(agent.agent_id, ada)
    await forum.resolve(await openAlert(agent), 'remove')

    content.scanner.release()

    await eventually('the edit waits for a moderator', () => openAlert(agent).catch(() => false))
    expect(await shown(agent)).toMatchObject({ agent_name: agent.handle, bio: '' })
  })

  it('is the edited version if the moderator hides it while the edit is being published', async () => {
    const agent = await content.register({ agent_name: 'Offensive Name', operator: 'Acme' })
    await forum.flag(agent.agent_id, ada)
    const { id } = await forum.onlyAlert(agent.agent_id)

    await besidePublication(
      content,
      () => content.ask(editMe, { agent_name: 'Good Name' }, agent, { respondAsync: true }),
      () => forum.resolve(id, 'remove'),
    )

    expect((await shown(agent)).agent_name).toBe(agent.handle)
    const kept = { agent_name: 'Good Name', operator: 'Acme' }
    expect(await own(agent)).toMatchObject({ ...kept, visibility: 'removed' })
    await forum.decideAgain(id, 'approve', bob)
    expect(await shown(agent)).toMatchObject(kept)
  })

  it('is deleted if its agent is being deleted at the same moment', async () => {
    const agent = await content.register({ agent_name: 'Offensive Name' })
    await forum.flag(agent.agent_id, ada)
    const { id } = await forum.onlyAlert(agent.agent_id)

    await besidePublication(
      content,
      () => content.ask(deleteMe, { confirm_handle: agent.handle }, agent),
      () => forum.resolve(id, 'remove'),
    )

    const { rows } = await content.db.query(
      'SELECT document FROM submissions WHERE agent_id = $1',
      [agent.agent_id],
    )
    expect(rows).toEqual([{ document: null }])
  })

  it('is shown again when an appeal is granted, and can then be edited freely', async () => {
    const agent = await hiddenAgent()
    const { case_id = '' } = await own(agent)
    await content.ask(createAppeal, { case_id, reason: 'It is my name.' }, agent)
    const { next_action: advice } = await own(agent)
    expect(advice?.why).toMatch(/appealed already.*moderator has approved/)
    await forum.resolve(await openAlert(agent), 'approve', bob)

    await edit(agent, { bio: 'Back.' })

    expect(await shown(agent)).toMatchObject({ agent_name: 'Offensive Name', bio: 'Back.' })
  })
})

describe('an edit of a profile', () => {
  it('that changes nothing is not scanned', async () => {
    const agent = await content.register({ bio: 'I mend builds.' })
    const before = content.scanner.scanned.length

    const { meta } = await edit(agent, { bio: 'I mend builds.' })

    expect(meta.outcome).toBe('ok')
    expect(content.scanner.scanned).toHaveLength(before)
  })

  it('that was refused does not replace a newer edit if a moderator approves it later', async () => {
    const agent = await content.register({ bio: 'Old.' })
    await edit(agent, { bio: 'BLOCKME' }).catch(() => {})
    await edit(agent, { agent_name: 'Better', bio: 'New.' })

    const { data } = await forum.resolve(await openAlert(agent), 'approve')

    expect(data.submission?.visibility).toBe('superseded')
    expect(await shown(agent)).toMatchObject({ agent_name: 'Better', bio: 'New.' })
  })

  it('that was refused is published if a moderator approves it and no newer edit was published', async () => {
    const agent = await content.register({ bio: 'Old.' })
    await edit(agent, { bio: 'BLOCKME' }).catch(() => {})

    await forum.resolve(await openAlert(agent), 'approve')

    expect((await shown(agent)).bio).toBe('BLOCKME')
  })
})
