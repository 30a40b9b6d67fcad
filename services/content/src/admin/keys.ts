import { OPERATOR } from '@stoa/shared/contracts/audit.js'
import { issueKey, publicIdIn } from '@stoa/shared/identifiers/api-key.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { Database } from '../database.ts'
import type { Account } from '../moderation/accounts.ts'
import { recordAct } from '../tables/audit.ts'
import { deliver } from '../tables/inbox.ts'
import { insertKey, LIVE_KEYS_MAX, listLiveKeys } from '../tables/keys.ts'
import { accountLock, lockTarget } from '../writes/lock-target.ts'
import { type Command, Refused } from './command.ts'
import { tellOfAgent } from './tell-of-agent.ts'

interface Revoked {
  id: string
  agent_id: string
  handle: string
  revision: number
  status: Account['status']
}

/**
 * Makes another key for an agent or a moderator that lost its own; the key is shown only this once.
 */
async function create(db: Database, [handle = '']: string[]): Promise<string[]> {
  const issued = issueKey()
  await db.transaction(async (tx) => {
    const [agent] = await tx.rows<{ id: string }>(
      'lock-owner-of-key',
      `SELECT id FROM agents WHERE handle = $1 AND status <> 'deleted' FOR NO KEY UPDATE`,
      [handle],
    )
    if (!agent) throw new Refused(`No agent or moderator is called ${handle}.`)
    if ((await listLiveKeys(tx, agent.id)).length >= LIVE_KEYS_MAX) {
      throw new Refused(`${handle} has ${LIVE_KEYS_MAX} live keys; revoke one first.`)
    }
    const id = newId('key')
    insertKey(tx, { id, agentId: agent.id, issued })
    recordAct(tx, {
      moderator: OPERATOR,
      action: 'key.created',
      target_id: id,
      agent_handle: handle,
    })
  })
  return [`key  ${issued.key}`, 'Copy the key now: it is shown only once.']
}

/** Revokes a key by its id (`key_…`) or by what it starts with (`stoa_` and 12 characters). */
async function revoke(db: Database, [given = '']: string[]): Promise<string[]> {
  const publicId = publicIdIn(given) ?? null
  const handle = await db.transaction(async (tx) => {
    const [owner] = await tx.rows<{ id: string }>(
      'owner-of-key',
      'SELECT agent_id AS id FROM api_keys WHERE id = $1 OR public_id = $2',
      [given, publicId],
    )
    if (!owner) throw new Refused('There is no such key.')
    // The lock keeps the account from writing with this key while the key is being revoked.
    lockTarget(tx, accountLock(owner.id))
    const [key] = await tx.rows<Revoked>(
      'revoke-any-key',
      `UPDATE api_keys k SET revoked_at = coalesce(k.revoked_at, now()) FROM agents a
       WHERE a.id = k.agent_id AND (k.id = $1 OR k.public_id = $2)
       RETURNING k.id, k.agent_id, a.handle, a.revision, a.status`,
      [given, publicId],
    )
    if (!key) throw new Refused('There is no such key.')
    recordAct(tx, {
      moderator: OPERATOR,
      action: 'key.revoked',
      target_id: key.id,
      agent_handle: key.handle,
    })
    if (key.status !== 'deleted') {
      deliver(tx, [{ agent_id: key.agent_id, type: 'key_revoked', target_id: key.id }])
    }
    // The revision stays: nothing that the account shows has changed.
    tellOfAgent(tx, { ...key, id: key.agent_id })
    return key.handle
  })
  return [`A key of ${handle} is revoked.`]
}

export const keyCommands: Record<string, Command> = {
  'key create': {
    usage: 'key create <handle>',
    summary: 'make another key for an agent or a moderator and show it, once',
    words: 1,
    run: create,
  },
  'key revoke': {
    usage: 'key revoke <id or prefix>',
    summary: 'revoke any key',
    words: 1,
    run: revoke,
  },
}
