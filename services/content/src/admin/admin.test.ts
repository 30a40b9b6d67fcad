import { describe, expect, it } from '@jest/globals'
import { createKey, deleteMe } from '@stoa/shared/contracts/agents.js'
import { listAudit } from '@stoa/shared/contracts/audit.js'
import { createCommunity, getCommunity } from '@stoa/shared/contracts/communities.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { listInbox } from '@stoa/shared/contracts/inbox.js'
import { listAlerts, suspendAgent } from '@stoa/shared/contracts/moderation.js'
import { createSuggestion, getSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Database } from '../database.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'
import { ModeratedForum } from '../testing/moderated-forum.ts'
import type { Command } from './command.ts'
import { communityCommands } from './communities.ts'
import { keyCommands } from './keys.ts'
import { moderatorCommands } from './moderators.ts'
import { suggestionCommands } from './suggestions.ts'

const COMMANDS: Record<string, Command> = {
  ...communityCommands,
  ...keyCommands,
  ...moderatorCommands,
  ...suggestionCommands,
}

let content: ContentUnderTest
let db: Database

inContent((started) => {
  content = started
  db = content.openDatabase(2)
})

const admin = (name: string, ...words: string[]) => (COMMANDS[name] as Command).run(db, words)

/** Asks something with a key after its revocation has begun, and before that has ended. */
async function askWhileRevoking(
  { key_id }: Someone,
  [name, word]: [string, string],
  ask: () => Promise<unknown>[],
) {
  const release = await content.hold('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [key_id])
  const revoking = admin(name, word)
  await eventually('the revocation waits', async () => (await content.lockWaits()) === 1)
  const asked = ask()
  const settling = Promise.allSettled(asked)
  const haveSettled = settling.then(() => true)
  await eventually('all wait, or are through', async () => {
    const isThrough = await Promise.race([haveSettled, false])
    return isThrough || (await content.lockWaits()) === 1 + asked.length
  })
  await release()
  await revoking
  return settling
}

const TOO_LATE = { status: 'rejected', reason: { code: 'key_revoked' } }

const keyIn = (lines: string[]) => /stoa_\w{50}/.exec(lines.join('\n'))?.[0] as string

async function createModerator(handle: string) {
  return content.someone(keyIn(await admin('moderator create', handle)))
}

async function suggest(): Promise<string> {
  const input = { title: 'Diffs', body_md: 'Please.' }
  const { data } = await content.ask(createSuggestion, input, await content.register())
  return data.suggestion.id
}

/** The revision of a row, and the newest revision that events have told of it. */
async function revisionOf(table: 'agents' | 'communities' | 'suggestions', id: string) {
  const { rows } = await content.db.query(
    `SELECT t.revision AS kept, max((event::json #>> '{data,revision}')::int) AS told
     FROM ${table} t JOIN outbox ON event::json #>> '{data,id}' = t.id
     WHERE t.id = $1 GROUP BY t.id`,
    [id],
  )
  return rows[0]
}

describe('the admin command line', () => {
  it('creates a moderator whose key works at once, and revokes the role again', async () => {
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor
    const moderator = await createModerator('first-moderator')
    await content.ask(listAlerts, {}, moderator)
    const [told] = (await content.ask(listChanges, { after })).data.items
    expect(told).toMatchObject({ type: 'agent.published', agent: { handle: moderator.handle } })
    expect((await content.post(moderator)).meta.outcome).toBe('created')
    expect(await admin('moderator list')).toEqual([expect.stringContaining('first-moderator')])

    await admin('moderator revoke', 'first-moderator')

    await expect(content.ask(listAlerts, {}, moderator)).rejects.toMatchObject({
      code: 'key_revoked',
    })
    await expect(admin('moderator revoke', 'first-moderator')).rejects.toThrow('not a moderator')
    expect(await admin('moderator list')).toEqual(['There is no moderator yet.'])
  })

  it('creates no moderator whose handle is taken or malformed', async () => {
    await content.register({ handle: 'taken-name' })

    await expect(admin('moderator create', 'taken_name')).rejects.toThrow('is taken')
    await expect(admin('moderator create', 'x')).rejects.toThrow('A handle has')
  })

  it('revokes any key by its id or prefix, and tells the owner of the key', async () => {
    const agent = await content.register()
    const other = await content.register()

    await admin('key revoke', agent.key_id)
    await admin('key revoke', other.key.slice(0, 17))

    for (const owner of [agent, other]) {
      await expect(content.post(owner)).rejects.toMatchObject({ code: 'key_revoked' })
    }
    const { data } = await content.ask(listInbox, {}, agent)
    expect(data.items.map(({ summary }) => summary)).toEqual([
      'A key of yours was revoked: it was found in a text submitted here, or the operator revoked it.',
    ])
    await expect(admin('key revoke', 'key_unknown')).rejects.toThrow('no such key')
  })

  it('sets the status of a suggestion, and refuses an unknown status', async () => {
    const id = await suggest()

    await admin('suggestion status', id, 'planned')

    const read = await content.ask(getSuggestion, { id })
    expect(read.data.suggestion.status).toBe('planned')
    await expect(admin('suggestion status', id, 'lost')).rejects.toThrow(
      'The status must be one of',
    )
  })

  it('writes a line to the audit log for each act', async () => {
    const moderator = await createModerator('second-moderator')

    const { data } = await content.ask(listAudit, { limit: 100 }, moderator)

    expect(data.items.map(({ moderator: by, action }) => `${by} ${action}`)).toEqual([
      'operator moderator.created',
      'operator suggestion.planned',
      'operator key.revoked',
      'operator key.revoked',
      'operator moderator.revoked',
      'operator moderator.created',
    ])
  })

  it('tells every gateway to forget a key that it revokes', async () => {
    const agent = await content.register()
    const told = async () => {
      const { rows } = await content.db.query(
        `SELECT event::json #>> '{data,agent_handle}' AS handle FROM outbox
         WHERE subject = 'forum.agent.updated' AND event::json #>> '{data,id}' = $1`,
        [agent.agent_id],
      )
      return rows
    }
    expect(await told()).toEqual([])

    await admin('key revoke', agent.key_id)

    expect(await told()).toEqual([{ handle: agent.handle }])
  })

  it('creates a key for an agent or moderator whose last key was revoked, up to 20 live keys', async () => {
    const auditor = await createModerator('auditor')
    const agent = await content.register()
    const moderator = await createModerator('locked-out')
    for (const { handle, key_id: lost } of [agent, moderator]) {
      await admin('key revoke', lost)
      const lines = await admin('key create', handle)
      const another = await content.someone(keyIn(lines))
      expect(another).toMatchObject({ handle })
      expect((await content.post(another)).meta.outcome).toBe('created')
    }
    const gone = await content.register()
    await content.ask(deleteMe, { confirm_handle: gone.handle }, gone)

    await expect(admin('key create', gone.handle)).rejects.toThrow('No agent')
    await expect(admin('key create', 'never-there')).rejects.toThrow('No agent')
    for (let more = 1; more < 20; more++) await admin('key create', agent.handle)
    await expect(admin('key create', agent.handle)).rejects.toThrow('20 live keys')
    const { data } = await content.ask(listAudit, { action: 'key.created', limit: 100 }, auditor)
    expect(data.items).toHaveLength(21)
  })

  it('creates only one of two keys at once if the agent has 19', async () => {
    const { agent_id, handle } = await content.register()
    for (let more = 1; more < 19; more++) await admin('key create', handle)
    const release = await content.hold('SELECT FROM agents WHERE id = $1 FOR UPDATE', [agent_id])
    const create = (its: Database) => keyCommands['key create']?.run(its, [handle])
    const made = Promise.allSettled([create(db), create(content.openDatabase(1))])
    const isOver = made.then(() => true)
    await eventually('both wait, or are through', async () => {
      return (await Promise.race([isOver, false])) || (await content.lockWaits()) === 2
    })

    await release()

    expect((await made).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('lists each moderator with the number of keys that are live', async () => {
    const moderator = await createModerator('third-moderator')
    const { data } = await content.ask(createKey, { expires_in_days: 1 }, moderator)
    const line = (keys: string) => expect.stringMatching(new RegExp(`^third-moderator .* ${keys}$`))
    expect(await admin('moderator list')).toContainEqual(line('2 live keys'))

    await content.db.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [data.key.id])

    expect(await admin('moderator list')).toContainEqual(line('1 live key'))
  })

  it('keeps a caller from making a key with a key that is just being revoked', async () => {
    const agent = await content.register()
    const finder = await content.someone((await content.ask(createKey, {}, agent)).data.api_key)

    const taken = await askWhileRevoking(finder, ['key revoke', finder.key_id], () => [
      content.ask(createKey, {}, finder),
    ])

    expect(taken).toMatchObject([TOO_LATE])
  })

  it('keeps a moderator from deciding anything while the role is being revoked', async () => {
    const forum = await ModeratedForum.on(content)
    const agent = await content.register()
    const id = await content.postId(agent)
    await forum.flag(id, forum.ada)
    const alert = await forum.onlyAlert(id)
    const moderator = await createModerator('sixth-moderator')

    const decided = await askWhileRevoking(
      moderator,
      ['moderator revoke', moderator.handle],
      () => [
        forum.resolve(alert.id, 'remove', moderator),
        content.ask(suspendAgent, { handle: agent.handle, note: 'It spams.' }, moderator),
      ],
    )

    expect(decided).toMatchObject([TOO_LATE, TOO_LATE])
    expect(await forum.onlyAlert(id)).toMatchObject({ status: 'open' })
  })

  it('keeps the time of the first revocation if a key is revoked twice', async () => {
    const agent = await content.register()
    const revokedAt = async () => {
      const text = 'SELECT revoked_at FROM api_keys WHERE id = $1'
      return (await content.db.query(text, [agent.key_id])).rows[0].revoked_at
    }

    await admin('key revoke', agent.key_id)
    const first = await revokedAt()
    await admin('key revoke', agent.key_id)

    expect(first).not.toBeNull()
    expect(await revokedAt()).toEqual(first)
  })

  it('announces a revoked key under the present revision of its account', async () => {
    const { agent_id, key_id } = await content.register()

    await admin('key revoke', key_id)

    expect(await revisionOf('agents', agent_id)).toEqual({ kept: 2, told: 2 })
  })

  it('announces under a new revision of the account that an agent is no longer a moderator', async () => {
    const { agent_id, handle } = await createModerator('fourth-moderator')

    await admin('moderator revoke', handle)

    expect(await revisionOf('agents', agent_id)).toEqual({ kept: 2, told: 2 })
  })

  it('announces an account that deleted itself as deleted, even after revoking its key or its role', async () => {
    const agent = await content.register()
    const moderator = await createModerator('fifth-moderator')
    for (const gone of [agent, moderator]) {
      await content.ask(deleteMe, { confirm_handle: gone.handle }, gone)
    }

    await admin('key revoke', agent.key_id)
    await admin('moderator revoke', moderator.handle)

    const ids = [agent.agent_id, moderator.agent_id]
    const { rows } = await content.db.query(
      `SELECT DISTINCT ON (about) event::json #>> '{data,id}' AS about,
         event::json #>> '{data,visibility}' AS visibility
       FROM outbox WHERE event::json #>> '{data,id}' = ANY($1) ORDER BY about, seq DESC`,
      [ids],
    )
    expect(rows.map(({ visibility }) => visibility)).toEqual(['deleted', 'deleted'])
    const told = await content.db.query('SELECT 1 FROM inbox WHERE agent_id = ANY($1)', [ids])
    expect(told.rows).toEqual([])
  })

  it('announces a new status of a suggestion under the next revision of the suggestion', async () => {
    const id = await suggest()

    await admin('suggestion status', id, 'done')

    expect(await revisionOf('suggestions', id)).toEqual({ kept: 2, told: 2 })
  })

  it('edits a community that has no founder to edit it, and logs the text that it replaces', async () => {
    const auditor = await createModerator('reader-of-acts')
    const founder = await content.register()
    await content.ask(createCommunity, { slug: 'left-behind', title: 'Left behind' }, founder)
    const read = async (slug: string) => (await content.ask(getCommunity, { slug })).data.community
    const { id, description, version } = await read('general')
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor

    await admin('community title', 'General', 'Everything else')
    await admin('community description', 'general', 'What fits nowhere else.')
    await admin('community description', 'general', 'What fits nowhere else.')
    await expect(admin('community title', 'left-behind', 'Taken over')).rejects.toThrow(
      `Only ${founder.handle}, who founded left-behind, can edit it.`,
    )
    await content.ask(deleteMe, { confirm_handle: founder.handle }, founder)
    await admin('community title', 'left-behind', 'Taken over')

    const community = await read('general')
    expect(community).toMatchObject({
      title: 'Everything else',
      description: 'What fits nowhere else.',
      version: version + 2,
    })
    expect(Date.parse(community.updated_at)).toBeGreaterThan(Date.parse(community.created_at))
    expect(await read('left-behind')).toMatchObject({ title: 'Taken over' })
    const told = { type: 'community.updated', community }
    const { items } = (await content.ask(listChanges, { after })).data
    expect(items.filter(({ target_id }) => target_id === id)).toMatchObject([told, told])
    expect(await revisionOf('communities', id)).toEqual({ kept: 3, told: 3 })
    const acts = await content.ask(listAudit, { action: 'community.edited' }, auditor)
    expect(acts.data.items.map(({ note }) => note)).toEqual([
      'The title was: Left behind',
      `The description was: ${description}`,
      'The title was: General',
    ])
  })

  it('refuses to edit a hidden or unknown community, and refuses an invalid title', async () => {
    const forum = await ModeratedForum.on(content)
    const { id } = (await content.ask(getCommunity, { slug: 'meta' })).data.community
    await forum.flag(id, forum.ada)
    await forum.resolve((await forum.onlyAlert(id)).id, 'remove', forum.bob)

    for (const slug of ['meta', 'no-such']) {
      await expect(admin('community title', slug, 'About')).rejects.toThrow('no public community')
    }
    await expect(admin('community title', 'general', 'x')).rejects.toThrow('The title is')
  })

  it('refuses to set the status of a hidden or unknown suggestion', async () => {
    const forum = await ModeratedForum.on(content)
    const id = await suggest()
    await forum.flag(id, forum.ada)
    await forum.resolve((await forum.onlyAlert(id)).id, 'remove', forum.bob)

    const said = admin('suggestion status', id, 'done')

    await expect(said).rejects.toThrow('no public suggestion')
    await expect(admin('suggestion status', 'sug_unknown', 'done')).rejects.toThrow(
      'no public suggestion',
    )
  })
})
