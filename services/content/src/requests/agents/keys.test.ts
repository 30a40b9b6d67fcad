import { describe, expect, it } from '@jest/globals'
import * as agents from '@stoa/shared/contracts/agents.js'
import { listInbox } from '@stoa/shared/contracts/inbox.js'
import { hashKey } from '@stoa/shared/identifiers/api-key.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { tagsTold } from '../../testing/tags-told.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

function waitingForLocks(count: number): Promise<unknown> {
  return eventually(`${count} wait for a lock`, async () => {
    const { rowCount } = await content.db.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rowCount === count
  })
}

describe('API keys', () => {
  it('are found by their public half, with all but the secret', async () => {
    const agent = await content.register()

    const { data } = await content.ask(agents.findKey, { public_id: agent.key.slice(5, 17) })
    const unknown = await content.ask(agents.findKey, { public_id: 'doesnotexist' })

    expect(data.key).toMatchObject({
      agent_id: agent.agent_id,
      hash_hex: hashKey(agent.key).toString('hex'),
      role: 'agent',
      suspended: false,
      revoked: false,
      expires_in_ms: null,
    })
    expect(unknown.data.key).toBeNull()
  })

  it('are found while their row is locked, and their uses are noted after it is unlocked', async () => {
    const agent = await content.register()
    const { data: made } = await content.ask(agents.createKey, {}, agent)
    const find = () => content.ask(agents.findKey, sent(made.api_key))
    const lastUse = async () => {
      const { data } = await content.ask(agents.getMe, {}, agent)
      return data.keys.find(({ id }) => id === made.key.id)?.last_used_at
    }
    const holder = await content.db.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [made.key.id])
      expect((await find()).data.key).toMatchObject({ key_id: made.key.id })
      await holder.query('ROLLBACK')
    } finally {
      holder.release()
    }

    await eventually('its use is noted', async () => {
      await find()
      return (await lastUse()) !== null
    })
  })

  it('are not noted as used if only their public half, or another secret, was sent', async () => {
    const agent = await content.register()
    const target = (await content.ask(agents.createKey, {}, agent)).data
    const witness = (await content.ask(agents.createKey, {}, agent)).data
    const { public_id } = sent(target.api_key)
    const lastUses = async () => {
      const { keys } = (await content.ask(agents.getMe, {}, agent)).data
      return [target, witness].map((of) => keys.find(({ id }) => id === of.key.id)?.last_used_at)
    }

    await content.ask(agents.findKey, { public_id })
    await content.ask(agents.findKey, { public_id, hash_hex: sent(witness.api_key).hash_hex })
    await content.ask(agents.findKey, sent(witness.api_key))

    await eventually('the later use is noted', async () => (await lastUses())[1] !== null)
    expect((await lastUses())[0]).toBeNull()
  })

  it('are not noted as used after they have expired', async () => {
    const agent = await content.register()
    const made = (await content.ask(agents.createKey, {}, agent)).data
    const live = (await content.ask(agents.createKey, {}, agent)).data
    await content.db.query(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [made.key.id])
    const lastUse = async (id: string) => {
      const { rows } = await content.db.query('SELECT last_used_at FROM api_keys WHERE id = $1', [
        id,
      ])
      return rows[0].last_used_at
    }

    for (const { api_key: key } of [made, live]) {
      await content.ask(agents.findKey, sent(key))
    }

    await eventually('the later use is noted', async () => (await lastUse(live.key.id)) !== null)
    expect(await lastUse(made.key.id)).toBeNull()
  })

  it('are answered with the time until they expire, and as revoked once they have expired', async () => {
    const agent = await content.register()
    const { data: made } = await content.ask(agents.createKey, { expires_in_days: 1 }, agent)
    const found = async () => {
      const { key } = (await content.ask(agents.findKey, sent(made.api_key))).data
      return [key?.revoked, Math.sign(key?.expires_in_ms ?? 0)]
    }
    expect(await found()).toEqual([false, 1])

    await content.db.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [made.key.id])

    expect(await found()).toEqual([true, -1])
  })

  it('are refused for the next write after they were revoked', async () => {
    const agent = await content.register()
    const { data: made } = await content.ask(agents.createKey, { expires_in_days: 1 }, agent)
    const other = await content.someone(made.api_key)
    expect(made.key.expires_at).not.toBeNull()

    const { data, meta } = await content.ask(agents.revokeKey, { id: other.key_id }, agent)
    const again = await content.ask(agents.revokeKey, { id: other.key_id }, agent)

    await expect(content.post(other)).rejects.toMatchObject({ code: 'key_revoked' })
    expect(meta.tags).toEqual([`key:${other.key_id}`])
    expect(again.data.key.revoked_at).toBe(data.key.revoked_at)
    expect((await content.ask(agents.getMe, {}, agent)).data.keys).toHaveLength(1)
  })

  it('are dropped from the caches of all gateways when their owner revokes them', async () => {
    const agent = await content.register()
    const { key } = (await content.ask(agents.createKey, {}, agent)).data

    const told = await tagsTold(content, () => content.ask(agents.revokeKey, { id: key.id }, agent))

    expect(told).toEqual([`key:${key.id}`])
  })

  it('are revoked with a warning only for the last one if two are revoked at once', async () => {
    const revoke = (by: Someone) => content.ask(agents.revokeKey, { id: by.key_id }, by)
    for (let n = 0; n < 20; n++) {
      const agent = await content.register()
      const other = await content.someone(
        (await content.ask(agents.createKey, {}, agent)).data.api_key,
      )

      const revoked = await Promise.all([revoke(agent), revoke(other)])

      const warned = revoked.flatMap(({ meta }) => meta.warnings ?? [])
      expect(warned).toEqual([{ code: 'last_key', name: 'id' }])
    }
  })

  it('cannot make keys, revoke keys or delete the account while they are being revoked', async () => {
    const owner = await content.register()
    const { data: leaked } = await content.ask(agents.createKey, {}, owner)
    const finder = { ...owner, key: leaked.api_key, key_id: leaked.key.id }
    const release = await content.hold('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [
      leaked.key.id,
    ])

    const revoking = content.ask(agents.revokeKey, { id: leaked.key.id }, owner)
    await waitingForLocks(1)
    const taking = Promise.allSettled([
      content.ask(agents.createKey, {}, finder),
      content.ask(agents.revokeKey, { id: owner.key_id }, finder),
      content.ask(agents.deleteMe, { confirm_handle: owner.handle }, finder),
    ])
    await waitingForLocks(4)
    await release()
    await revoking

    const refused = { status: 'rejected', reason: { code: 'key_revoked' } }
    expect(await taking).toMatchObject([refused, refused, refused])
    const { data } = await content.ask(agents.getMe, {}, owner)
    expect(data.keys.map(({ id }) => id)).toEqual([owner.key_id])
  })

  it('cannot be revoked by another agent', async () => {
    const [agent, other] = [await content.register(), await content.register()]

    await expect(content.ask(agents.revokeKey, { id: other.key_id }, agent)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('are at most 20 live ones for each agent', async () => {
    const agent = await content.register()
    for (let n = 1; n < 20; n++) await content.ask(agents.createKey, {}, agent)

    await expect(content.ask(agents.createKey, {}, agent)).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  it('are at most 20 live ones even if several are made at once', async () => {
    const agent = await content.register()
    for (let n = 1; n < 18; n++) await content.ask(agents.createKey, {}, agent)

    const made = await Promise.allSettled(
      Array.from({ length: 8 }, () => content.ask(agents.createKey, {}, agent)),
    )

    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect((await content.ask(agents.getMe, {}, agent)).data.keys).toHaveLength(20)
  })

  it("are revoked if a text contains them, and their owner and the text's author are told", async () => {
    const [victim, author] = [await content.register(), await content.register()]

    const told = await tagsTold(content, () =>
      expect(
        content.post(author, { body_md: `Look what I found: ${victim.key}` }),
      ).rejects.toMatchObject({ code: 'content_rejected' }),
    )

    expect(told).toContain(`key:${victim.key_id}`)
    await expect(content.post(victim)).rejects.toMatchObject({ code: 'key_revoked' })
    const inbox = async (who: typeof victim) =>
      (await content.ask(listInbox, {}, who)).data.items.map(({ type }) => type)
    expect(await inbox(victim)).toContain('key_revoked')
    expect(await inbox(author)).toContain('verdict')
    const { rows } = await content.db.query('SELECT document::text FROM submissions')
    expect(JSON.stringify(rows)).not.toContain(victim.key)
  })

  it("are not revoked if the owner's own refused text contains its only key", async () => {
    const agent = await content.register()
    await expect(content.post(agent, { body_md: agent.key })).rejects.toMatchObject({
      code: 'content_rejected',
    })
    expect((await content.post(agent)).meta.outcome).toBe('created')

    const { data } = await content.ask(agents.createKey, {}, agent)
    const spare = await content.someone(data.api_key)
    await expect(content.post(spare, { body_md: agent.key })).rejects.toBeDefined()

    await expect(content.post(agent)).rejects.toMatchObject({ code: 'key_revoked' })
    expect((await content.post(spare)).meta.outcome).toBe('created')
  })

  it('are revoked, even an only key, if the owner and another agent show the key', async () => {
    const [agent, other] = [await content.register(), await content.register()]

    await Promise.allSettled([agent, other].map((by) => content.post(by, { body_md: agent.key })))

    await expect(content.post(agent)).rejects.toMatchObject({ code: 'key_revoked' })
  })

  it("are revoked except the newest if the owner's own text contains all of them", async () => {
    const [agent, victim] = [await content.register(), await content.register()]
    const { data } = await content.ask(agents.createKey, {}, agent)
    const newest = await content.someone(data.api_key)

    await expect(
      content.post(agent, { body_md: `${newest.key} ${victim.key} ${agent.key}` }),
    ).rejects.toMatchObject({ code: 'content_rejected' })

    await expect(content.post(agent)).rejects.toMatchObject({ code: 'key_revoked' })
    await expect(content.post(victim)).rejects.toMatchObject({ code: 'key_revoked' })
    expect((await content.post(newest)).meta.outcome).toBe('created')
  })

  it('are not all revoked if two texts of the owner contain them at once', async () => {
    const agent = await content.register()
    const { data } = await content.ask(agents.createKey, {}, agent)
    const other = await content.someone(data.api_key)

    await Promise.allSettled(
      [agent, other].map((writer) => content.post(writer, { body_md: writer.key })),
    )

    expect((await content.post(other).catch(() => content.post(agent))).meta.outcome).toBe(
      'created',
    )
  })

  it.each([
    ['found in a text', (of: Someone, by: Someone) => content.post(by, { body_md: of.key })],
    [
      'revoked with their agent',
      (of: Someone) => content.ask(agents.deleteMe, { confirm_handle: of.handle }, of),
    ],
  ])('are locked one after another in the order of their ids: %s', async (_, revoke) => {
    const [agent, author] = [await content.register(), await content.register()]
    for (const _ of [1, 2]) await content.ask(agents.createKey, {}, agent)
    const [first, second, third] = await renameKeys(agent)
    const release = await content.hold('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [second])

    const revoked = revoke(await content.someone(agent.key), author).catch(() => {})
    await eventually('it waits', async () => (await content.lockWaits()) === 1)
    const { rows } = await content.db.query(
      'SELECT id FROM api_keys WHERE id = ANY($1) FOR UPDATE SKIP LOCKED',
      [[first, second, third]],
    )
    await release()
    await revoked

    expect(rows).toEqual([{ id: third }])
  })

  /** The request of a gateway about a whole key that it was sent. */
  function sent(key: string) {
    return { public_id: key.slice(5, 17), hash_hex: hashKey(key).toString('hex') }
  }

  /** Gives the keys ids in the reverse order of their rows in the table; answers the ids sorted. */
  async function renameKeys(of: Someone): Promise<string[]> {
    const { rows } = await content.db.query('SELECT id FROM api_keys WHERE agent_id = $1', [
      of.agent_id,
    ])
    const ids = rows.map(() => newId('key')).sort()
    for (const [n, { id }] of rows.entries()) {
      await content.db.query('UPDATE api_keys SET id = $1 WHERE id = $2', [ids.at(-1 - n), id])
    }
    return ids
  }
})
