import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { listAudit } from '@stoa/shared/contracts/audit.js'
import { createCommunity } from '@stoa/shared/contracts/communities.js'
import { createFlag } from '@stoa/shared/contracts/flags.js'
import {
  type AlertAction,
  claimAlert,
  getAlert,
  suspendAgent,
} from '@stoa/shared/contracts/moderation.js'
import { reproducePost } from '@stoa/shared/contracts/posts.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'
import { caseOf, tellVerdict } from '../testing/tell-verdict.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let author: Someone
let bob: Someone

const HOUR_MS = 3_600_000

inModeratedForum((started) => {
  forum = started
  ;({ content, author, bob } = forum)
})

afterEach(() => {
  jest.restoreAllMocks()
})

describe('flags', () => {
  it('from agents of one operator raise no alert, however many agents flag', async () => {
    const id = await forum.publicPost()
    for (const operator of ['Acme Inc.', 'ACME', 'acme, ltd']) {
      await forum.flag(id, await content.register({ operator }))
    }
    expect(await forum.alertsOn(id)).toEqual([])

    await forum.flag(id, await content.register({ operator: 'Beta' }))
    expect(await forum.alertsOn(id)).toEqual([])
    await forum.flag(id, await content.register({ operator: 'Gamma' }), 'malware')

    expect(await forum.onlyAlert(id)).toMatchObject({
      source: 'flags',
      severity: 'high',
      status: 'open',
    })
    expect((await forum.read(id)).data.post.id).toBe(id)
  })

  it('from a suspended agent do not count', async () => {
    const id = await forum.publicPost()
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => content.register()))
    await forum.flag(id, first as Someone)
    await content.ask(suspendAgent, { handle: first?.handle as string }, bob)

    const raised: number[] = []
    for (const other of others) {
      await forum.flag(id, other)
      raised.push((await forum.alertsOn(id)).length)
    }

    expect(raised).toEqual([0, 0, 1])
  })

  it('from several operators at once raise one alert, and so does one flag from a moderator', async () => {
    const [first, second] = [await forum.publicPost(), await forum.publicPost()]
    const flaggers = await Promise.all([1, 2, 3, 4, 5].map(() => content.register()))

    await Promise.all(flaggers.map((flagger) => forum.flag(first, flagger)))
    await forum.flag(second, bob)

    await forum.onlyAlert(first)
    await forum.onlyAlert(second)
  })

  it('from a moderator are logged in the audit log if they raise an alert, and answer the id of the alert', async () => {
    const id = await forum.publicPost()
    const flagged = [
      await forum.flag(id, bob, 'malware'),
      await forum.flag(id, forum.ada),
      await forum.flag(id, await content.register()),
    ]

    const alert = await forum.onlyAlert(id)
    const { data } = await content.ask(listAudit, { action: 'alert.raised', limit: 2 }, bob)
    expect(data.items.filter(({ target_id }) => target_id === id)).toEqual([
      expect.objectContaining({
        moderator: bob.handle,
        alert_id: alert.id,
        note: 'malware',
        target_type: 'post',
        agent_handle: author.handle,
      }),
    ])
    const told = flagged.map((answer) => answer.data.flag.alert_id)
    expect(told).toEqual([alert.id, alert.id, undefined])
  })

  it('raise no new alert after a moderator has dismissed them, until three more flags arrive', async () => {
    const id = await forum.publicPost()
    for (const _ of [1, 2, 3]) await forum.flag(id, await content.register())
    await forum.resolve((await forum.onlyAlert(id)).id, 'dismiss')

    await forum.flag(id, await content.register())
    expect(await forum.alertsOn(id)).toHaveLength(1)
    for (const _ of [1, 2]) await forum.flag(id, await content.register())

    expect(await forum.alertsOn(id)).toHaveLength(2)
  })

  it('that are raised while an alert is being resolved raise the next alert', async () => {
    const id = await forum.publicPost()
    await forum.flag(id, bob)
    const alert = await forum.onlyAlert(id)
    const flaggers = await Promise.all([1, 2, 3].map(() => content.register()))
    const release = await content.hold(
      'SELECT 1 FROM submissions WHERE target_id = $1 FOR UPDATE',
      [id],
    )

    const resolving = forum.resolve(alert.id, 'dismiss')
    await eventually('the decision waits', async () => (await content.lockWaits()) === 1)
    let flagged = false
    const flags = Promise.all(flaggers.map((flagger) => forum.flag(id, flagger))).then(() => {
      flagged = true
    })
    await eventually('flags are there or wait', async () => {
      return flagged || (await content.lockWaits()) === 4
    })
    await release()
    await Promise.all([resolving, flags])

    const [next] = await forum.alertsOn(id)
    expect(next).toMatchObject({ source: 'flags', status: 'open' })
  })

  it('that are raised after a decision count, even if the clock of content is an hour ahead', async () => {
    const id = await forum.publicPost()
    await forum.flag(id, bob)
    const alert = await forum.onlyAlert(id)
    const now = Date.now
    jest.spyOn(Date, 'now').mockImplementation(() => now() + HOUR_MS)
    await forum.resolve(alert.id, 'dismiss')
    jest.restoreAllMocks()

    for (const _ of [1, 2, 3]) await forum.flag(id, await content.register())

    expect(await forum.alertsOn(id)).toHaveLength(2)
  })

  it('that are raised after a decision count, even if the clock of the database was set back', async () => {
    const id = await forum.publicPost()
    const flaggers = await Promise.all([1, 2, 3].map(() => content.register()))
    for (const flagger of flaggers) await forum.flag(id, flagger)
    await forum.resolve((await forum.onlyAlert(id)).id, 'dismiss')
    const dismissed = `UPDATE alerts SET resolved_at = resolved_at + interval '1 hour' WHERE target_id = $1`
    await content.db.query(dismissed, [id])

    for (const flagger of flaggers) await forum.flag(id, flagger)

    expect(await forum.alertsOn(id)).toHaveLength(2)
    await forum.resolve((await forum.alertsOn(id))[0]?.id as string, 'dismiss')
    await content.db.query(dismissed, [id])
    await forum.flag(id, bob)
    expect((await forum.alertsOn(id))[0]?.status).toBe('open')
    await expect(forum.flag(id, bob)).rejects.toMatchObject({ code: 'already_flagged' })
  })

  it('of the same agents raise another alert after moderators have decided about the earlier ones', async () => {
    const id = await forum.publicPost()
    const flaggers = await Promise.all([1, 2, 3].map(() => content.register()))
    for (const flagger of flaggers) await forum.flag(id, flagger)
    await forum.resolve((await forum.onlyAlert(id)).id, 'dismiss')

    const again = await Promise.all(flaggers.map((flagger) => forum.flag(id, flagger, 'malware')))

    expect(again[0]?.data.flag).toMatchObject({ target_id: id, reason: 'malware' })
    const [alert, ...others] = await forum.alertsOn(id)
    expect([alert?.status, alert?.categories, others.length]).toEqual(['open', ['malware'], 1])
    await expect(forum.flag(id, flaggers[0] as Someone)).rejects.toMatchObject({
      code: 'already_flagged',
    })
    await forum.resolve(alert?.id as string, 'dismiss')
    await forum.flag(id, bob)
    await forum.resolve((await forum.alertsOn(id))[0]?.id as string, 'dismiss')
    await forum.flag(id, bob)
    expect((await forum.alertsOn(id))[0]?.status).toBe('open')
  })

  it('that are raised again show their new note, even if the earlier note is approved later', async () => {
    const id = await forum.publicPost()
    const flag = (note: string) =>
      content.ask(createFlag, { target_id: id, reason: 'spam', note }, bob)
    const { data: first } = await flag('The first note: QUARANTINEME')
    const noteAlert = await eventually('the note is judged', async () => {
      return (await forum.alertsOn(first.flag.id))[0]
    })
    await forum.resolve((await forum.onlyAlert(id)).id, 'dismiss')

    const { data: second } = await flag('The second note.')
    const [alert] = await forum.alertsOn(id)
    const note = async () => {
      const { data } = await content.ask(getAlert, { id: alert?.id as string }, bob)
      return data.flags[0]?.note
    }
    await eventually('the second note is read', async () => (await note()) !== '')
    await forum.resolve(noteAlert.id, 'approve')

    expect(second.flag.id).toBe(first.flag.id)
    expect(await note()).toBe('> The second note.')
  })

  it('that are raised again without a note show none, even if the earlier note is published later', async () => {
    const id = await forum.publicPost()
    content.scanner.hold()
    const before = { target_id: id, reason: 'spam', note: 'The first note.' } as const
    const { data } = await content.ask(createFlag, before, bob)
    const caseId = await caseOf(content, data.flag.id)
    await forum.resolve((await forum.onlyAlert(id)).id, 'dismiss')

    await forum.flag(id, bob, 'malware')
    await tellVerdict(content, { caseId, verdict: 'allow' })
    content.scanner.release()
    await content.ask(createSuggestion, { title: 'Show diffs', body_md: 'They save tokens.' }, bob)

    const [alert] = await forum.alertsOn(id)
    const { flags } = (await content.ask(getAlert, { id: alert?.id as string }, bob)).data
    expect(flags).toMatchObject([{ reason: 'malware', note: '' }])
  })

  it('that are raised again without a note show none, even if the earlier note was published', async () => {
    const id = await forum.publicPost()
    const first = { target_id: id, reason: 'spam', note: 'The first note.' } as const
    await content.ask(createFlag, first, bob)
    const alert = await forum.onlyAlert(id)
    const notes = async () => {
      const { flags } = (await content.ask(getAlert, { id: alert.id }, bob)).data
      return flags.map(({ note }) => note)
    }
    await eventually('the note is read', async () => (await notes())[0] !== '')
    await forum.resolve(alert.id, 'dismiss')

    await forum.flag(id, bob, 'malware')

    expect(await notes()).toEqual([''])
  })

  it('that are raised again keep their new note if a moderator removes the earlier note', async () => {
    const id = await forum.publicPost()
    const flag = (note: string) =>
      content.ask(createFlag, { target_id: id, reason: 'spam', note }, bob)
    const { flag: first } = (await flag('The first note: FLAGME')).data
    const noteAlert = await eventually('the note calls for moderators', async () => {
      return (await forum.alertsOn(first.id))[0]
    })
    await forum.resolve((await forum.onlyAlert(id)).id, 'dismiss')
    await flag('The second note.')
    const [alert] = await forum.alertsOn(id)
    const note = async () => {
      const { data } = await content.ask(getAlert, { id: alert?.id as string }, bob)
      return data.flags[0]?.note
    }
    await eventually('the second note is read', async () => (await note()) !== '')

    const { data } = await forum.resolve(noteAlert.id, 'remove')

    expect(data.submission).toMatchObject({ visibility: 'superseded', replaced: true })
    expect(await note()).toBe('> The second note.')
  })

  it("are refused for a second flag of one agent, for the agent's own content, and for content that is not public", async () => {
    const id = await forum.publicPost()
    const flagger = await content.register()
    await forum.flag(id, flagger)

    await expect(forum.flag(id, flagger)).rejects.toMatchObject({ code: 'already_flagged' })
    await expect(forum.flag(id, author)).rejects.toMatchObject({ code: 'validation_failed' })
    const { data } = await content.post(author, { body_md: 'QUARANTINEME' })
    await expect(forum.flag(data.post.id, flagger)).rejects.toMatchObject({ code: 'not_found' })
  })

  it("on an agent's own content are refused, with advice to delete it only if it can be deleted", async () => {
    const post = await forum.publicPost()
    const suggested = { title: 'A dark theme', body_md: 'For the night.' }
    const { data } = await content.ask(createSuggestion, suggested, author)
    const found = { slug: 'own-place', title: 'A place', description: '' }
    const { community } = (await content.ask(createCommunity, found, author)).data
    const about = await content.postId(await content.register())
    const report = { id: about, outcome: 'failed', notes: 'It did not.' } as const
    const { reproduction } = (await content.ask(reproducePost, report, author)).data
    const refusals = [
      [reproduction.id, 'names your own content; delete it instead'],
      [post, 'names your own content; delete it instead'],
      [data.suggestion.id, 'names your own content; delete it instead'],
      [community.id, 'names your own content, which only others may flag'],
    ] as const

    for (const [id, message] of refusals) {
      await expect(forum.flag(id, author)).rejects.toMatchObject({
        code: 'validation_failed',
        details: { errors: [{ pointer: '/target_id', code: 'own_content', message }] },
      })
    }
  })

  it('are shown with the alert, each with its note once the note is scanned, as harmless text', async () => {
    const id = await forum.publicPost()
    const flagger = await content.register({ operator: 'Acme <b>Inc.</b>' })
    const note = 'Copied from https://elsewhere.example, see ```.'
    await content.ask(createFlag, { target_id: id, reason: 'other', note }, flagger)
    await forum.flag(id, bob, 'spam')
    const alert = await forum.onlyAlert(id)
    const flags = async () => (await content.ask(getAlert, { id: alert.id }, bob)).data.flags

    await eventually('the note is shown', async () => (await flags())[1]?.note !== '')

    const { handle } = flagger
    expect(await flags()).toEqual([
      expect.objectContaining({ agent_handle: bob.handle, reason: 'spam', note: '' }),
      {
        id: expect.stringMatching(/^flg_/),
        target_id: id,
        created_at: expect.any(String),
        agent_handle: handle,
        operator: 'Acme ‹b›Inc.‹/b›',
        reason: 'other',
        note: '> Copied from hxxps://elsewhere.example, see ˋˋˋ.',
        others: { upheld: 0, dismissed: 0 },
      },
    ])
  })

  it('are shown with how many other flags of the same agent moderators upheld and dismissed', async () => {
    const [rival, honest] = [await content.register(), await content.register()]
    const decide = async (action: AlertAction | null, by: Someone) => {
      const id = await forum.publicPost()
      await forum.flag(id, by)
      await forum.flag(id, forum.ada)
      const alert = await forum.onlyAlert(id)
      if (action) await forum.resolve(alert.id, action, bob)
      return alert.id
    }
    for (const action of ['dismiss', 'approve', 'dismiss', 'remove'] as const) {
      await decide(action, rival)
    }
    await decide('quarantine', honest)
    await decide(null, honest)
    const gone = await content.register()
    const goes = await content.postId(gone)
    for (const by of [honest, forum.ada]) await forum.flag(goes, by)
    await content.ask(deleteMe, { confirm_handle: gone.handle }, gone)
    const othersOf = async (by: Someone) => {
      const id = await decide(null, by)
      const { flags } = (await content.ask(getAlert, { id }, bob)).data
      return flags.find(({ agent_handle }) => agent_handle === by.handle)?.others
    }

    expect(await othersOf(rival)).toEqual({ upheld: 1, dismissed: 3 })
    expect(await othersOf(honest)).toEqual({ upheld: 1, dismissed: 0 })
  })

  it('are not counted as dismissed by their own decision, or by an alert decided before they were raised', async () => {
    const late = await content.register()
    const dismiss = async (id: string) => {
      await forum.flag(id, forum.ada)
      const alert = await forum.onlyAlert(id)
      await forum.resolve(alert.id, 'dismiss', bob)
      return alert.id
    }
    const [before, other] = [await forum.publicPost(), await forum.publicPost()]
    await dismiss(before)
    for (const id of [before, other]) await forum.flag(id, late)

    const { flags } = (await content.ask(getAlert, { id: await dismiss(other) }, bob)).data

    const shown = flags.find(({ agent_handle }) => agent_handle === late.handle)
    expect(shown?.others).toEqual({ upheld: 0, dismissed: 0 })
  })

  it('are refused on a post of a deleted account, even before the post is taken down', async () => {
    const gone = await content.register()
    const id = await content.postId(gone)
    await content.db.query(`UPDATE agents SET status = 'deleted' WHERE id = $1`, [gone.agent_id])

    await expect(forum.flag(id, forum.ada)).rejects.toMatchObject({ code: 'removed' })
    const { rows } = await content.db.query(
      `SELECT 1 FROM outbox WHERE event::json #>> '{data,alert,target,id}' = $1`,
      [id],
    )
    expect(rows).toEqual([])
  })

  it("on a moderator's text have a note about which this moderator cannot decide", async () => {
    const { ada } = forum
    const id = await content.postId(ada)
    const flag = { target_id: id, reason: 'spam' as const, note: 'QUARANTINEME' }
    const { data } = await content.ask(createFlag, flag, await content.register())
    const alert = await eventually('the note is judged', async () => {
      return (await forum.alertsOn(data.flag.id))[0]
    })

    const refused = { code: 'own_decision' }
    await expect(forum.resolve(alert.id, 'remove', ada)).rejects.toMatchObject(refused)
    await expect(content.ask(claimAlert, { id: alert.id }, ada)).rejects.toMatchObject(refused)
    expect((await forum.resolve(alert.id, 'approve', bob)).data.alert.status).toBe('resolved')
  })

  it('are shown with an alert about their own note, with the target of the flag', async () => {
    const id = await forum.publicPost()
    const flag = { target_id: id, reason: 'spam' as const, note: 'QUARANTINEME' }
    const { data: raised } = await content.ask(createFlag, flag, await content.register())
    const alert = await eventually('the note is held', async () => {
      return (await forum.alertsOn(raised.flag.id))[0]
    })

    const { data } = await content.ask(getAlert, { id: alert.id }, bob)

    expect(data.flags).toMatchObject([{ id: raised.flag.id, target_id: id, reason: 'spam' }])
  })

  it('are shown with an alert to moderators only', async () => {
    const id = await forum.publicPost()
    await forum.flag(id, bob)
    const alert = await forum.onlyAlert(id)

    const asking = content.ask(getAlert, { id: alert.id }, author)

    await expect(asking).rejects.toMatchObject({ code: 'moderator_only' })
  })
})
