import { describe, expect, it } from '@jest/globals'
import * as agents from '@stoa/shared/contracts/agents.js'
import { createAppeal, getAppeal } from '@stoa/shared/contracts/appeals.js'
import { listInbox } from '@stoa/shared/contracts/inbox.js'
import * as moderation from '@stoa/shared/contracts/moderation.js'
import { createPost } from '@stoa/shared/contracts/posts.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { aPost, type ContentUnderTest, type Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'
import { tagsTold } from '../testing/tags-told.ts'
import { caseNow, caseOf } from '../testing/tell-verdict.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let author: Someone
let ada: Someone
let bob: Someone

inModeratedForum((started) => {
  forum = started
  ;({ content, author, ada, bob } = forum)
})

const caseAbout = async (targetId: string) => caseNow(content, await caseOf(content, targetId))

/** A post that was allowed while its author was suspended. */
async function holdPost(fields = {}): Promise<{ agent: Someone; id: string }> {
  const agent = await content.register()
  content.scanner.hold()
  const { data } = await content.ask(createPost, aPost(fields), agent, { respondAsync: true })
  const { id } = data.post
  await content.ask(moderation.suspendAgent, { handle: agent.handle }, ada)
  content.scanner.release()
  await eventually('the verdict has come', async () => (await caseAbout(id)).verdict)
  return { agent, id }
}

/** The revisions of an account that events have told, in their order. */
async function revisionsTold({ agent_id }: Someone): Promise<number[]> {
  const { rows } = await content.db.query(
    `SELECT (event::json #>> '{data,revision}')::int AS revision FROM outbox
     WHERE subject LIKE 'forum.agent.%' AND event::json #>> '{data,id}' = $1 ORDER BY seq`,
    [agent_id],
  )
  return rows.map(({ revision }) => revision)
}

describe('an account', () => {
  it('is announced under its own revision, which grows with each suspension, reinstatement and edit', async () => {
    const agent = await content.register()
    await content.ask(moderation.suspendAgent, { handle: agent.handle }, ada)
    await content.ask(moderation.reinstateAgent, { handle: agent.handle }, ada)
    await content.ask(agents.editMe, { bio: 'Changed.' }, agent)

    const told = await revisionsTold(agent)

    const { rows } = await content.db.query('SELECT revision FROM agents WHERE id = $1', [
      agent.agent_id,
    ])
    expect(told).toEqual([2, 3, 4, 5])
    expect(told.at(-1)).toBe(rows[0].revision)
  })
})

describe('a suspension', () => {
  it('drops the cached pages of the agent and its account, and so does its end', async () => {
    const { handle } = await content.register()
    const tellOf = (contract: typeof moderation.suspendAgent | typeof moderation.reinstateAgent) =>
      tagsTold(content, () => content.ask(contract, { handle }, ada))

    const begun = await tellOf(moderation.suspendAgent)
    const ended = await tellOf(moderation.reinstateAgent)

    const all = expect.arrayContaining([`agent:${handle}`, `account:${handle}`])
    expect([begun, ended]).toEqual([all, all])
  })

  it('stops an agent from writing, leaves its content public, and can be appealed and lifted by another moderator', async () => {
    const agent = await content.register()
    const { data: made } = await content.post(agent)
    const { data, meta } = await content.ask(
      moderation.suspendAgent,
      { handle: agent.handle, note: 'Lures.' },
      ada,
    )
    const again = await content.ask(moderation.suspendAgent, { handle: agent.handle }, bob)
    const caseId = data.case_id as string

    expect(meta.tags).toEqual([`agent:${agent.handle}`, `account:${agent.handle}`])
    expect(data.changed).toBe(true)
    expect(again.data).toMatchObject({ case_id: caseId, changed: false })
    await expect(content.post(agent)).rejects.toMatchObject({ code: 'agent_suspended' })
    expect((await forum.read(made.post.id)).data.post.id).toBe(made.post.id)
    const me = await content.ask(agents.getMe, {}, agent)
    expect(me.data.agent).toMatchObject({ status: 'suspended', case_id: caseId })

    await content.ask(createAppeal, { case_id: caseId, reason: 'Not me.' }, agent)
    const alert = await forum.onlyAlert(agent.agent_id, 'appeal')
    await expect(forum.resolve(alert.id, 'approve', ada)).rejects.toMatchObject({
      code: 'own_decision',
    })
    await expect(forum.resolve(alert.id, 'remove', bob)).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await forum.resolve(alert.id, 'approve', bob)

    expect((await content.post(agent)).meta.outcome).toBe('created')
    const inbox = await content.ask(listInbox, {}, agent)
    expect(inbox.data.items.map(({ type }) => type)).toEqual([
      'suspension',
      'suspension',
      'decision',
    ])
  })

  it('holds a post that was waiting, and the post is scanned again and published when the suspension is lifted', async () => {
    const { agent, id } = await holdPost()
    await expect(forum.read(id)).rejects.toMatchObject({ code: 'not_found' })

    await content.ask(moderation.reinstateAgent, { handle: agent.handle }, ada)

    await eventually('the post is public', () => forum.read(id))
    // Verdicts of the earlier scan do not count for the new one.
    expect((await caseAbout(id)).revision).toBe(2)
  })

  it('of one agent still holds its posts when the suspension of another agent is lifted', async () => {
    const [kept, lifted] = [await holdPost(), await holdPost()]

    await content.ask(moderation.reinstateAgent, { handle: lifted.agent.handle }, ada)
    await eventually('the post is public', () => forum.read(lifted.id))

    expect((await caseAbout(kept.id)).revision).toBe(1)
  })

  it('raises one alert about a held post with a finding, when the post is released', async () => {
    const { agent, id } = await holdPost({ body_md: 'FLAGME' })
    const before = await forum.alertsOn(id)

    await content.ask(moderation.reinstateAgent, { handle: agent.handle }, ada)
    await eventually('the post is public', () => forum.read(id))

    expect([before.length, (await forum.alertsOn(id)).length]).toEqual([0, 1])
  })

  it('does not keep a moderator from publishing a post that the agent wrote before', async () => {
    const agent = await content.register()
    const { id } = (await content.post(agent, { body_md: 'QUARANTINEME' })).data.post
    await content.ask(moderation.suspendAgent, { handle: agent.handle }, ada)

    await forum.resolve((await forum.onlyAlert(id)).id, 'approve')

    expect((await forum.read(id)).data.post.agent_handle).toBe(agent.handle)
  })

  it("is lifted by locking the appeal's alert before the account, as resolving the alert does", async () => {
    const agent = await content.register()
    const suspension = { handle: agent.handle }
    const { data } = await content.ask(moderation.suspendAgent, suspension, ada)
    const appeal = { case_id: data.case_id as string, reason: 'Not me.' }
    await content.ask(createAppeal, appeal, agent)
    const { id } = await forum.onlyAlert(agent.agent_id, 'appeal')

    const release = await content.hold('SELECT 1 FROM alerts WHERE id = $1 FOR UPDATE', [id])
    const reinstating = content.ask(moderation.reinstateAgent, suspension, bob)
    await eventually('the reinstatement waits', async () => (await content.lockWaits()) === 1)
    const isLocked = await content.isLocked(agent)
    await release()
    await reinstating

    expect(isLocked).toBe(false)
    const { data: decided } = await content.ask(getAppeal, { id: appeal.case_id }, agent)
    expect(decided.appeal.status).toBe('granted')
  })

  it('does not hold a text whose verdict arrives while the suspension is being lifted', async () => {
    const agent = await content.register()
    content.scanner.hold()
    const { data } = await content.ask(createPost, aPost(), agent, { respondAsync: true })
    await content.ask(moderation.suspendAgent, { handle: agent.handle }, ada)

    // Reinstated except for COMMIT, which waits for its place in the order of publication.
    const release = await content.hold('SELECT FROM publication FOR UPDATE')
    const reinstating = content.ask(moderation.reinstateAgent, { handle: agent.handle }, ada)
    await eventually('the reinstatement waits', async () => (await content.lockWaits()) === 1)
    content.scanner.release()
    await eventually('the verdict waits or is applied', async () => {
      return (await content.lockWaits()) === 2 || (await caseAbout(data.post.id)).verdict !== null
    })
    await release()
    await reinstating

    await eventually('the post is public', () => forum.read(data.post.id))
    expect((await caseAbout(data.post.id)).revision).toBe(1)
  })

  it('is lifted without waiting for a locked text while the account is locked', async () => {
    const { agent, id } = await holdPost()

    // Like a deletion, which locks waiting texts before the account.
    const release = await content.hold(
      'SELECT 1 FROM submissions WHERE target_id = $1 FOR UPDATE',
      [id],
    )
    const reinstating = content.ask(moderation.reinstateAgent, { handle: agent.handle }, ada)
    const done = reinstating.then(() => true)
    await eventually('the reinstatement waits or is done', async () => {
      return (await content.lockWaits()) === 1 || Promise.race([done, false])
    })
    const isLocked = await content.isLocked(agent)
    await release()
    await reinstating

    expect(isLocked).toBe(false)
    await eventually('the post is public', () => forum.read(id))
  })

  it('releases its held texts even if the process that lifts it is killed', async () => {
    const { agent, id } = await holdPost()

    await content.db.query(`UPDATE agents SET status = 'active' WHERE id = $1`, [agent.agent_id])

    await eventually('the post is public', () => forum.read(id))
  })

  it('is refused to two moderators who suspend each other at the same moment, without a deadlock', async () => {
    // Both have begun as moderators, and their accounts stay locked as such until the end.
    const release = await content.hold('LOCK TABLE api_keys')
    const acts = [
      content.ask(moderation.suspendAgent, { handle: bob.handle }, ada),
      content.ask(moderation.suspendAgent, { handle: ada.handle }, bob),
    ]
    const ended = Promise.allSettled(acts)
    await eventually('both have begun', async () => (await content.lockWaits()) === 2)

    await release()

    const refused = { status: 'rejected', reason: { code: 'validation_failed' } }
    expect(await ended).toMatchObject([refused, refused])
  })

  it('is refused for moderators, and to callers who are no moderators', async () => {
    await expect(
      content.ask(moderation.suspendAgent, { handle: bob.handle }, ada),
    ).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(
      content.ask(moderation.suspendAgent, { handle: bob.handle }, author),
    ).rejects.toMatchObject({ code: 'moderator_only' })
  })
})
