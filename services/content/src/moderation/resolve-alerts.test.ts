import { describe, expect, it } from '@jest/globals'
import { createAppeal } from '@stoa/shared/contracts/appeals.js'
import { createCommunity } from '@stoa/shared/contracts/communities.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import * as moderation from '@stoa/shared/contracts/moderation.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../tests/support/eventually.ts'
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

type Action = 'approve' | 'remove' | 'quarantine' | 'dismiss'

async function decide(ids: string[], action: Action, as = ada, more = {}) {
  const input = { ids, action, note: 'A wave.' }
  return (await content.ask(moderation.resolveAlerts, input, as, more)).data
}

/** The outcome for each alert: how it is resolved, or why it was refused. */
function outcomes({ items }: Awaited<ReturnType<typeof decide>>) {
  return items.map(({ error, alert }) => error?.code ?? alert?.resolution)
}

async function flagged(): Promise<{ postId: string; id: string }> {
  const postId = await forum.publicPost('FLAGME')
  return { postId, id: (await forum.onlyAlert(postId)).id }
}

async function actsOn(ids: string[]): Promise<string[]> {
  const { rows } = await content.db.query(
    'SELECT moderator, action, note FROM audit WHERE alert_id = ANY($1) ORDER BY seq',
    [ids],
  )
  return rows.map(({ moderator, action, note }) => `${moderator} ${action} ${note}`)
}

describe('resolving several alerts', () => {
  it('changes content, audit log, change log and events as resolving each alert alone does', async () => {
    const alerts = [await flagged(), await flagged()]
    const ids = alerts.map(({ id }) => id)

    const decided = await decide(ids, 'remove')

    expect(decided).toMatchObject({ resolved: 2, refused: 0 })
    expect(decided.items.map(({ alert, shown }) => [alert?.status, shown?.visibility])).toEqual(
      ids.map(() => ['resolved', 'removed']),
    )
    expect(decided.items.map(({ alert }) => alert?.title)).toEqual(
      ids.map(() => 'A cold cache made the build flaky'),
    )
    for (const { postId } of alerts) {
      await expect(forum.read(postId)).rejects.toMatchObject({ code: 'removed' })
    }
    expect(await actsOn(ids)).toEqual(ids.map(() => `${ada.handle} alert.remove A wave.`))
    const changes = await content.ask(listChanges, { limit: 500 })
    expect(changes.data.items.slice(-2).map(({ type }) => type)).toEqual([
      ...['post.removed', 'post.removed'],
    ])
    const events = await content.db.query(
      `SELECT 1 FROM outbox WHERE subject = 'alert.resolved' AND event LIKE ANY($1)`,
      [ids.map((id) => `%${id}%`)],
    )
    expect(events.rowCount).toBe(2)
  })

  it('says for each alert that cannot be resolved why, and resolves the others', async () => {
    const [first, late, last] = [await flagged(), await flagged(), await flagged()]
    await forum.resolve(late.id, 'dismiss', bob)
    const own = await content.post(ada, { body_md: 'FLAGME' })
    const ofOwn = await forum.onlyAlert(own.data.post.id)
    const found = (title: string) =>
      content.ask(createCommunity, { slug: 'contested', title }, author)
    await found('BLOCKME').catch(() => {})
    const { data } = await content.ask(moderation.listAlerts, { limit: 1 }, ada)
    const ofSlug = data.items[0]?.id as string
    await found('Taken since')
    const unknown = newId('alert')

    const ids = [first.id, late.id, unknown, ofOwn.id, ofSlug, last.id]
    const decided = await decide(ids, 'approve')

    expect(outcomes(decided)).toEqual([
      ...['approve', 'already_decided', 'not_found', 'own_decision', 'slug_taken', 'approve'],
    ])
    expect(decided).toMatchObject({ resolved: 2, refused: 4 })
    expect(decided.items.map(({ id }) => id)).toEqual(ids)
    expect(decided.items[1]).toMatchObject({
      error: { status: 409, retryable: false },
      alert: { resolution: 'dismiss', resolved_by: bob.handle },
    })
    expect(decided.items[2]?.alert).toBeNull()
    expect(decided.items[3]?.alert).toMatchObject({ status: 'open', resolution: null })
  })

  it('does not approve an alert that another moderator has resolved, which a single request can', async () => {
    const { id, postId } = await flagged()
    await forum.resolve(id, 'remove', bob)

    const decided = await decide([id], 'approve')

    expect(outcomes(decided)).toEqual(['already_decided'])
    await expect(forum.read(postId)).rejects.toMatchObject({ code: 'removed' })
    await forum.decideAgain(id, 'approve')
    expect((await forum.read(postId)).data.post.id).toBe(postId)
  })

  it('is idempotent if the request is repeated, and if it names an alert twice', async () => {
    const ids = [(await flagged()).id, (await flagged()).id]
    const twice = [...ids, ids[0] as string]

    const first = await decide(twice, 'quarantine')
    const again = await decide(twice, 'quarantine')

    expect(outcomes(first)).toEqual(['quarantine', 'quarantine', 'quarantine'])
    expect(again).toEqual(first)
    expect(await actsOn(ids)).toHaveLength(2)
    expect(outcomes(await decide(ids, 'remove'))).toEqual(['already_decided', 'already_decided'])
  })

  it('leaves alerts open when its time runs out, and a repeated request resolves them', async () => {
    const ids = [(await flagged()).id, (await flagged()).id]

    const late = await decide(ids, 'dismiss', ada, { remainingMs: 5_000 })
    const again = await decide(ids, 'dismiss')

    expect(outcomes(late)).toEqual(['unavailable', 'unavailable'])
    expect(late.items[0]).toMatchObject({ error: { retryable: true }, alert: null })
    expect(outcomes(again)).toEqual(['dismiss', 'dismiss'])
  })

  it('says of a decision whose COMMIT is not answered that it may stand, and decides on', async () => {
    const alerts = [await flagged(), await flagged()]
    const ids = alerts.map(({ id }) => id)
    await content.db.query(`
      CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER end_session AFTER UPDATE ON alerts INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.id = '${ids[0]}') EXECUTE FUNCTION end_session()`)

    const decided = await decide(ids, 'remove').finally(() =>
      content.db.query('DROP FUNCTION end_session CASCADE'),
    )

    expect(outcomes(decided)).toEqual(['timeout', 'remove'])
  })

  it('at once by two moderators resolves each alert for one of them, and names the winner to both', async () => {
    const ids: string[] = []
    for (let n = 0; n < 8; n++) ids.push((await flagged()).id)

    const [adas, bobs] = await Promise.all([
      decide(ids, 'remove', ada),
      decide(ids.toReversed(), 'dismiss', bob),
    ])

    const byId = new Map(bobs.items.map((item) => [item.id, item]))
    for (const mine of adas.items) {
      const theirs = byId.get(mine.id)
      const winner = mine.error === null ? ada : bob
      expect([mine, theirs].filter((item) => item?.error === null)).toHaveLength(1)
      expect([mine.alert?.resolved_by, theirs?.alert?.resolved_by]).toEqual([
        ...[winner.handle, winner.handle],
      ])
    }
    expect(adas.resolved + bobs.resolved).toBe(ids.length)
    expect(await actsOn(ids)).toHaveLength(ids.length)
  })

  it("resolves an appeal and the scanner's alert about the same text with one decision", async () => {
    const agent = await content.register()
    const { data } = await content.post(agent, { body_md: 'QUARANTINEME' })
    const { post } = data
    const { case_id } = (await forum.read(post.id, agent)).data.post
    await content.ask(createAppeal, { case_id: case_id as string, reason: 'A quote.' }, agent)
    const alerts = await forum.alertsOn(post.id)
    const ids = alerts.map(({ id }) => id)

    const decided = await decide(ids, 'approve', bob)

    expect(ids).toHaveLength(2)
    expect(outcomes(decided)).toEqual(['approve', 'approve'])
    expect((await forum.read(post.id)).data.post.visibility).toBeUndefined()
    expect(await actsOn(ids)).toHaveLength(2)
  })

  it('is refused as a whole to callers who are no moderators, and to suspended moderators', async () => {
    const { id } = await flagged()
    const suspended = await content.moderator()
    await content.db.query(`UPDATE agents SET status = 'suspended' WHERE handle = $1`, [
      suspended.handle,
    ])

    await expect(decide([id], 'remove', author)).rejects.toMatchObject({ code: 'moderator_only' })
    await expect(decide([id], 'remove', suspended)).rejects.toMatchObject({
      code: 'agent_suspended',
    })
    await expect(decide([id], 'remove', { ...author, role: 'moderator' })).rejects.toMatchObject({
      code: 'moderator_only',
    })
    expect(await actsOn([id])).toEqual([])
  })

  it('stops for a moderator who is suspended in the middle of the request', async () => {
    const [first, second] = [await flagged(), await flagged()]
    const moderator = await content.moderator()
    const release = await content.hold('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      second.postId,
    ])
    const third = await flagged()
    const deciding = decide([first.id, second.id, third.id], 'remove', moderator)
    await eventually('the first is decided', async () => (await actsOn([first.id])).length > 0)

    await content.db.query(`UPDATE agents SET status = 'suspended' WHERE handle = $1`, [
      moderator.handle,
    ])
    await release()

    const decided = await deciding
    const codes = outcomes(decided)
    expect([codes[0], codes[2]]).toEqual(['remove', 'agent_suspended'])
    expect(decided.items[2]?.alert).toBeNull()
    expect(await actsOn([third.id])).toEqual([])
  })
})
