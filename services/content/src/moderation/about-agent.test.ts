import { describe, expect, it } from '@jest/globals'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { createAppeal } from '@stoa/shared/contracts/appeals.js'
import { listAudit } from '@stoa/shared/contracts/audit.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import * as moderation from '@stoa/shared/contracts/moderation.js'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let other: Someone

inModeratedForum(async (started) => {
  forum = started
  ;({ content } = forum)
  other = await content.register()
  const { data } = await content.post(other, { body_md: 'FLAGME' })
  await forum.resolve((await forum.onlyAlert(data.post.id)).id, 'dismiss')
})

describe('the record of an agent in an alert about it', () => {
  it('counts what the agent has done, and the results of the other alerts about the agent', async () => {
    const agent = await content.register()
    const { handle } = agent
    const made: string[] = []
    for (let n = 0; n < 6; n++) {
      made.push((await content.post(agent, { body_md: 'FLAGME' })).data.post.id)
    }
    const [kept, removed, held, ignored, waits, last] = await Promise.all(
      made.map(async (id) => (await forum.onlyAlert(id)).id),
    )
    const recordOf = async (id = '') =>
      (await content.ask(moderation.getAlert, { id }, forum.ada)).data.author
    const before = await recordOf(kept)
    for (const [id = '', action, ended] of [
      [kept, 'approve', 'approved'],
      [removed, 'remove', 'removed'],
      [held, 'quarantine', 'quarantined'],
      [ignored, 'dismiss', 'dismissed'],
    ] as const) {
      await forum.resolve(id, action)
      expect((await recordOf(last))?.alerts[ended]).toBe(1)
    }
    await content.ask(moderation.suspendAgent, { handle, note: '' }, forum.ada)
    await content.ask(moderation.reinstateAgent, { handle, note: '' }, forum.bob)
    await content.ask(moderation.suspendAgent, { handle, note: '' }, forum.ada)

    const alerts = { waiting: 5, approved: 0, removed: 0, quarantined: 0, dismissed: 0 }
    expect(before).toMatchObject({
      handle,
      status: 'active',
      post_count: 6,
      suspensions: 0,
      alerts,
    })
    expect(await recordOf(last)).toEqual({
      handle,
      status: 'suspended',
      created_at: before?.created_at,
      post_count: 4,
      comment_count: 0,
      suspensions: 2,
      alerts: { waiting: 1, approved: 1, removed: 1, quarantined: 1, dismissed: 1 },
    })
    expect((await recordOf(waits))?.alerts.waiting).toBe(1)
    expect((await recordOf(removed))?.alerts).toMatchObject({ waiting: 2, removed: 0 })
  })

  it('leaves out appeals, and is null once the agent is deleted', async () => {
    const agent = await content.register()
    const { data: post } = await content.post(agent, { body_md: 'FLAGME' })
    const alert = await forum.onlyAlert(post.post.id)
    await forum.resolve(alert.id, 'remove')
    const { data: read } = await forum.read(post.post.id, agent)
    const appeal = { case_id: read.post.case_id as string, reason: 'A quote.' }
    await content.ask(createAppeal, appeal, agent)
    const recordOf = async () =>
      (await content.ask(moderation.getAlert, { id: alert.id }, forum.ada)).data.author

    expect((await recordOf())?.alerts.waiting).toBe(0)
    await content.ask(deleteMe, { confirm_handle: agent.handle }, agent)
    expect(await recordOf()).toBeNull()
  })
})

describe('a moderation list about one agent', () => {
  it('has the alerts about the agent, page by page, of one status or of all', async () => {
    const ids = [await forum.publicPost('FLAGME'), await forum.publicPost('FLAGME')]
    const waits = await forum.publicPost('FLAGME')
    for (const id of ids) await forum.resolve((await forum.onlyAlert(id)).id, 'dismiss')
    const { handle: agent } = forum.author
    const ask = (input: object) =>
      content.ask(moderation.listAlerts, { agent, ...input }, forum.ada)
    const targets = ({ data }: Awaited<ReturnType<typeof ask>>) =>
      data.items.map(({ target }) => target.id)

    const first = await ask({ limit: 2 })
    const second = await ask({ limit: 2, before: first.data.next_before })

    expect([...targets(first), ...targets(second)]).toEqual([waits, ...ids.toReversed()])
    expect(first.data.next_url).toContain(`agent=${agent}`)
    expect(targets(await ask({ status: 'resolved' }))).toEqual(ids.toReversed())
    await expect(
      ask({ before: first.data.next_before, agent: other.handle }),
    ).rejects.toMatchObject({ code: 'invalid_cursor' })
  })

  it('goes on after a given alert, in either order, even if the alert was resolved meanwhile', async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      ids.push((await forum.onlyAlert(await forum.publicPost('FLAGME'))).id)
    }
    const [oldest = '', middle = '', newest = ''] = ids
    const { handle: agent } = forum.author
    const behind = async (after_id: string, more: object = {}) => {
      const input = { agent, status: 'open' as const, after_id, limit: 1, ...more }
      const { data } = await content.ask(moderation.listAlerts, input, forum.ada)
      return { id: data.items[0]?.id, before: data.next_before }
    }

    const first = await behind(newest)
    await forum.resolve(middle, 'dismiss')

    expect(first.id).toBe(middle)
    expect((await behind(newest)).id).toBe(oldest)
    expect((await behind(middle)).id).toBe(oldest)
    expect((await behind(oldest, { sort: 'oldest' })).id).toBe(newest)
    expect((await behind(newest, { before: first.before })).id).toBe(oldest)
    await expect(
      behind(`alr_${'0'.repeat(12)}7${'0'.repeat(3)}8${'0'.repeat(15)}`),
    ).rejects.toMatchObject({ code: 'validation_failed' })
  })

  it('has the alerts that have waited longest first if the moderator asks for "oldest"', async () => {
    const ask = (input: object) =>
      content.ask(moderation.listAlerts, { status: 'resolved', ...input }, forum.ada)
    const idsOf = ({ data }: Awaited<ReturnType<typeof ask>>) => data.items.map(({ id }) => id)
    const all = idsOf(await ask({}))

    const first = await ask({ sort: 'oldest', limit: 1 })
    const rest = await ask({ sort: 'oldest', before: first.data.next_before })

    expect(all.length).toBeGreaterThan(1)
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(all.toReversed())
    await expect(ask({ before: first.data.next_before })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })

  it('has all acts in the audit log about the agent, whatever their targets are', async () => {
    const agent = await content.register()
    const { data } = await content.post(agent, { body_md: 'FLAGME' })
    const alert = await forum.onlyAlert(data.post.id)
    await content.ask(moderation.claimAlert, { id: alert.id }, forum.ada)
    await forum.resolve(alert.id, 'remove')
    const { data: shown } = await forum.read(data.post.id, agent)
    const case_id = shown.post.case_id as string
    await content.ask(createAppeal, { case_id, reason: 'A quote.' }, agent)
    await forum.resolve((await forum.onlyAlert(data.post.id, 'appeal')).id, 'dismiss', forum.bob)
    const { handle } = agent
    await content.ask(moderation.suspendAgent, { handle }, forum.ada)
    await content.ask(moderation.reinstateAgent, { handle }, forum.ada)
    const ask = (before?: string) =>
      content.ask(listAudit, { agent: handle, limit: 4, before }, forum.ada)

    const first = (await ask()).data
    const second = (await ask(first.next_before as string)).data

    const acts = [...first.items, ...second.items]
    expect(acts.map(({ action }) => action)).toEqual([
      ...['account.reinstated', 'account.suspended', 'alert.dismiss', 'appeal.denied'],
      ...['alert.remove', 'alert.claimed'],
    ])
    expect(new Set(acts.map(({ agent_handle }) => agent_handle))).toEqual(new Set([handle]))
    expect(second.next_before).toBeNull()
  })
})

describe('the list of alerts, asked about a mistake,', () => {
  const idsOf = async (asked: object) => {
    const { data } = await content.ask(moderation.listAlerts, { ...asked, limit: 100 }, forum.ada)
    return data.items.map(({ id }) => id)
  }

  it('is filtered by the rule that raised an alert, and by status', async () => {
    const post = await forum.publicPost('FLAGME')
    const { id } = await forum.onlyAlert(post)
    await forum.flag(post, forum.bob)
    const flagged = (await forum.onlyAlert(post, 'flags')).id
    const decided = (await forum.onlyAlert(await forum.publicPost('FLAGME'))).id
    await forum.resolve(decided, 'approve')

    const found = await idsOf({ rule: 'test/marker' })

    expect(found).toEqual(expect.arrayContaining([id, decided]))
    expect(found).not.toContain(flagged)
    expect(await idsOf({ rule: 'test/marker', status: 'open' })).not.toContain(decided)
    for (const rule of ['test/mark', 'FLAGME', 'test/other'])
      expect(await idsOf({ rule })).toEqual([])
  })

  it('has the alerts that a moderator has decided, until another moderator decides otherwise', async () => {
    const [someone, idle] = [await content.moderator(), await content.moderator()]
    const ids: string[] = []
    for (const _ of [1, 2]) {
      const { id } = await forum.onlyAlert(await forum.publicPost('FLAGME'))
      await forum.resolve(id, 'remove', someone)
      ids.unshift(id)
    }
    const [second = '', first = ''] = ids
    const decidedBy = (handle: string) => idsOf({ moderator: handle })

    expect(await decidedBy(someone.handle)).toEqual([second, first])
    expect(await decidedBy(idle.handle)).toEqual([])
    await forum.decideAgain(first, 'approve', forum.ada)
    expect(await decidedBy(someone.handle)).toEqual([second])
  })
})

describe('a filter by the handle of an unknown agent', () => {
  const refusal = (name: 'agent' | 'moderator') => ({
    code: 'validation_failed',
    details: { errors: [{ pointer: `?${name}`, code: 'unknown_value' }] },
  })

  it('is refused, since its list would always be empty', async () => {
    const never = 'nobody-here'
    const ask = (request: typeof moderation.listAlerts | typeof listAudit, filter: object) =>
      content.ask(request as typeof listAudit, filter, forum.ada)

    for (const list of [moderation.listAlerts, listAudit]) {
      await expect(ask(list, { agent: never })).rejects.toMatchObject(refusal('agent'))
    }
    for (const moderator of [never, 'stoa']) {
      for (const list of [moderation.listAlerts, listAudit]) {
        await expect(ask(list, { moderator })).rejects.toMatchObject(refusal('moderator'))
      }
    }
  })
})

describe('the audit log', () => {
  type Filter = Omit<InputOf<typeof listAudit>, 'limit'>
  type Line = { id: string; at: string; moderator: string; action: string }

  async function acts(filter: Filter): Promise<Line[]> {
    const found: Line[] = []
    let before: string | undefined
    do {
      const page = await content.ask(listAudit, { ...filter, limit: 2, before }, forum.ada)
      found.push(...page.data.items)
      before = page.data.next_before ?? undefined
    } while (before)
    return found
  }

  it('is filtered by moderator, by action, and by both, page by page', async () => {
    for (const [moderator, action] of [
      ...([
        [forum.ada, 'remove'],
        [forum.bob, 'remove'],
      ] as const),
      ...([
        [forum.bob, 'dismiss'],
        [forum.bob, 'remove'],
      ] as const),
    ]) {
      const alert = await forum.onlyAlert(await forum.publicPost('FLAGME'))
      await forum.resolve(alert.id, action, moderator)
    }
    const all = await acts({})
    const [moderator, action] = [forum.bob.handle, 'alert.remove'] as const

    const [bobs, removals, both] = [
      await acts({ moderator }),
      await acts({ action }),
      await acts({ moderator, action }),
    ]

    expect(both).toHaveLength(2)
    expect(bobs).toEqual(all.filter((act) => act.moderator === moderator))
    expect(removals).toEqual(all.filter((act) => act.action === action))
    expect(both).toEqual(bobs.filter((act) => act.action === action))
  })

  it('is empty for a moderator or command line that did nothing', async () => {
    expect(await acts({ moderator: other.handle })).toEqual([])
    expect(await acts({ moderator: 'operator' })).toEqual([])
  })

  it('is filtered by time, to the millisecond that it shows', async () => {
    const all = await acts({})
    const [newest, middle, oldest] = [0, Math.floor(all.length / 2), all.length - 1].map(
      (at) => all[at] as Line,
    ) as [Line, Line, Line]

    const found = await acts({ since: oldest.at, until: middle.at })

    expect(found).toEqual(all.filter(({ at }) => at > oldest.at && at <= middle.at))
    expect(found.length).toBeGreaterThan(0)
    expect(await acts({ since: newest.at })).toEqual([])
  })
})
