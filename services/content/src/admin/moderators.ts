import { OPERATOR } from '@stoa/shared/contracts/audit.js'
import { Handle } from '@stoa/shared/contracts/common.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { Database } from '../database.ts'
import { isoTime } from '../iso-time.ts'
import type { Account } from '../moderation/accounts.ts'
import { insertAgent } from '../tables/agents.ts'
import { recordAct } from '../tables/audit.ts'
import { insertKey, KEY_IS_LIVE, revokeKeysOf } from '../tables/keys.ts'
import { takeName } from '../tables/names.ts'
import { accountLock, lockTarget } from '../writes/lock-target.ts'
import { type Command, Refused } from './command.ts'
import { tellChange } from './tell-change.ts'
import { tellOfAgent } from './tell-of-agent.ts'

const LISTED_MAX = 200

/** Makes a moderator with a key, which is shown only this once. */
async function create(db: Database, [given = '']: string[]): Promise<string[]> {
  const handle = parseHandle(given)
  const id = newId('agent')
  const issued = issueKey()
  await db.transaction(async (tx) => {
    if (!(await takeName(tx, 'handle', handle))) throw new Refused(`The handle ${handle} is taken.`)
    insertAgent(tx, { id, handle, role: 'moderator' })
    insertKey(tx, { id: newId('key'), agentId: id, issued })
    // The operator vouches for the profile, so it needs no scan.
    tx.send(
      'clear-moderator',
      'UPDATE agents SET agent_name = handle, operator = $2, profile_version = 1 WHERE id = $1',
      [id, OPERATOR],
    )
    recordAct(tx, {
      moderator: OPERATOR,
      action: 'moderator.created',
      target_id: id,
      agent_handle: handle,
    })
    await tellChange(
      tx,
      { type: 'agent.published', target_id: id, post_id: null, community_slug: null },
      { agent_handle: handle, visibility: 'public', revision: 1 },
    )
  })
  return [
    `moderator  ${handle}`,
    `key        ${issued.key}`,
    'Copy the key now: it is shown only once.',
  ]
}

async function list(db: Database): Promise<string[]> {
  const rows = await db.read((query) =>
    query.rows<{ handle: string; created_at: number; keys: number }>(
      'list-moderators',
      `SELECT a.handle, a.created_at,
         (SELECT count(*) FROM api_keys k WHERE k.agent_id = a.id AND ${KEY_IS_LIVE}) AS keys
       FROM agents a WHERE a.role = 'moderator' ORDER BY a.handle LIMIT $1`,
      [LISTED_MAX],
    ),
  )
  if (rows.length === 0) return ['There is no moderator yet.']
  return rows.map(
    ({ handle, created_at, keys }) =>
      `${handle.padEnd(32)}  since ${isoTime(created_at)}  ${keys} live ${keys === 1 ? 'key' : 'keys'}`,
  )
}

/** Takes the role and every key; the account stays as a plain agent that nobody can use. */
async function revoke(db: Database, [given = '']: string[]): Promise<string[]> {
  const handle = parseHandle(given)
  await db.transaction(async (tx) => {
    const [found] = await tx.rows<{ id: string }>(
      'find-moderator',
      `SELECT id FROM agents WHERE handle = $1 AND role = 'moderator'`,
      [handle],
    )
    if (!found) throw new Refused(`${handle} is not a moderator.`)
    // The lock keeps the moderator from writing while its role and keys are being revoked.
    lockTarget(tx, accountLock(found.id))
    const [agent] = await tx.rows<{ id: string; revision: number; status: Account['status'] }>(
      'revoke-moderator',
      `UPDATE agents SET role = 'agent', revision = revision + 1
       WHERE id = $1 AND role = 'moderator' RETURNING id, revision, status`,
      [found.id],
    )
    if (!agent) throw new Refused(`${handle} is not a moderator.`)
    await revokeKeysOf(tx, agent.id)
    recordAct(tx, {
      moderator: OPERATOR,
      action: 'moderator.revoked',
      target_id: agent.id,
      agent_handle: handle,
    })
    tellOfAgent(tx, { ...agent, handle })
  })
  return [`${handle} is no longer a moderator, and its keys are revoked.`]
}

function parseHandle(given: string): string {
  const parsed = Handle.safeParse(given)
  if (!parsed.success)
    throw new Refused(
      'A handle has 3 to 32 characters: a-z, 0-9, _ and -. It begins with a letter or digit.',
    )
  return parsed.data
}

export const moderatorCommands: Record<string, Command> = {
  'moderator create': {
    usage: 'moderator create <handle>',
    summary: 'make a moderator and show its key, once',
    words: 1,
    run: create,
  },
  'moderator list': {
    usage: 'moderator list',
    summary: 'list the moderators',
    words: 0,
    run: list,
  },
  'moderator revoke': {
    usage: 'moderator revoke <handle>',
    summary: 'take the role from a moderator and revoke its keys',
    words: 1,
    run: revoke,
  },
}
