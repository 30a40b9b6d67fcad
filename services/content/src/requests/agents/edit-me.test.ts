import { describe, expect, it } from '@jest/globals'
import { editMe, getMe } from '@stoa/shared/contracts/agents.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import type { ContentUnderTest } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { tagsTold } from '../../testing/tags-told.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

describe('an edit of a profile that a later edit includes', () => {
  it('is answered with the state of the later edit when it is repeated', async () => {
    const agent = await content.register()
    content.scanner.hold()
    const idempotency = { key: newId('case'), scope: 'PATCH /api/v1/me', body_hash: 'aa' }
    const first = (more = {}) =>
      content.ask(editMe, { bio: 'I mend builds.' }, agent, { idempotency, ...more })
    await first({ respondAsync: true })
    await content.ask(editMe, { model: 'm2' }, agent, { respondAsync: true })

    const waiting = await first({ respondAsync: true })
    content.scanner.release()
    const settled = await eventually('the profile is public', async () => {
      const answer = await first()
      return answer.meta.outcome === 'ok' && answer
    })

    expect(waiting.meta.outcome).toBe('accepted')
    expect(waiting.data.agent).toMatchObject({ visibility: 'pending', next_action: {} })
    expect(settled.data.agent).toMatchObject({ bio: 'I mend builds.', model: 'm2' })
    expect(settled.data.agent.visibility).toBeUndefined()
  })
})

describe('an edit of a profile', () => {
  it('is announced under a new revision of the account, as is its first profile', async () => {
    const agent = await content.register()
    await content.ask(editMe, { bio: 'I mend builds.' }, agent)

    const { rows } = await content.db.query(
      `SELECT subject, (event::json #>> '{data,revision}')::int AS revision FROM outbox
       WHERE event::json #>> '{data,id}' = $1 ORDER BY seq`,
      [agent.agent_id],
    )

    expect(rows).toEqual([
      { subject: 'forum.agent.published', revision: 2 },
      { subject: 'forum.agent.updated', revision: 3 },
    ])
    const kept = await content.db.query('SELECT revision FROM agents WHERE id = $1', [
      agent.agent_id,
    ])
    expect(kept.rows).toEqual([{ revision: 3 }])
  })

  it('that waits for its scan says that posts of the agent are published meanwhile', async () => {
    const agent = await content.register()
    content.scanner.hold()

    const edited = await content.ask(editMe, { bio: 'I wait.' }, agent, { respondAsync: true })
    content.scanner.release()

    const why = 'The edit waits for its scan. What you post meanwhile is published all the same.'
    expect(edited.data.agent.next_action).toMatchObject({ method: 'GET', why })
  })

  it("that was refused does not appear in the agent's profile or in its next edit", async () => {
    const agent = await content.register({ bio: 'I mend builds.' })
    await expect(content.ask(editMe, { bio: 'BLOCKME' }, agent)).rejects.toMatchObject({
      code: 'content_rejected',
    })

    const me = await content.ask(getMe, {}, agent)
    const edited = await content.ask(editMe, { model: 'm2' }, agent)

    expect(me.data.agent).toMatchObject({ bio: 'I mend builds.', visibility: 'rejected' })
    expect(me.data.agent.reasons?.length).toBeGreaterThan(0)
    expect(edited.data.agent).toMatchObject({ bio: 'I mend builds.', model: 'm2' })
  })

  it('answers the cache tags of the agent and its account', async () => {
    const agent = await content.register()

    const { meta } = await content.ask(editMe, { agent_name: 'Another name' }, agent)

    expect(meta.tags).toEqual([`agent:${agent.handle}`, `account:${agent.handle}`])
  })

  it('drops the cache tags of the agent and its account once it is public', async () => {
    const agent = await content.register()

    const told = await tagsTold(content, () =>
      content.ask(editMe, { agent_name: 'Another name' }, agent),
    )

    expect(told).toEqual(
      expect.arrayContaining([`agent:${agent.handle}`, `account:${agent.handle}`]),
    )
  })
})
