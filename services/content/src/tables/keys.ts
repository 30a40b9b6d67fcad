import type { StoredKey } from '@stoa/shared/contracts/agents.js'
import type { IssuedKey } from '@stoa/shared/identifiers/api-key.js'
import type { Query, Transaction } from '../transaction.ts'

export interface KeyRow {
  id: string
  public_id: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

/** `id` is the public half of the key. */
export interface StoredKeyRow extends StoredKey {
  id: string
  /** The key is live, and its last recorded use is old enough to record another one. */
  use_is_stale: boolean
}

/**
 * Finds keys by their public halves, in any order. One use per 30 seconds shows that a key is in
 * use.
 */
export function findStoredKeys(query: Query, publicIds: string[]): Promise<StoredKeyRow[]> {
  return query.rows(
    'find-stored-keys',
    `SELECT k.public_id AS id, k.id AS key_id, encode(k.hash, 'hex') AS hash_hex, a.id AS agent_id,
       a.handle, a.role, a.status = 'suspended' AS suspended,
       NOT (${KEY_IS_LIVE}) OR a.status = 'deleted' AS revoked,
       (extract(epoch FROM k.expires_at - now()) * 1000)::float8 AS expires_in_ms,
       ${KEY_IS_LIVE} AND coalesce(k.last_used_at < now() - interval '30 seconds', true)
         AS use_is_stale
     FROM api_keys k JOIN agents a ON a.id = k.agent_id WHERE k.public_id = ANY($1)`,
    [publicIds],
  )
}

/** Stores the hash that a key is recognised by; only the key's bearer knows the key itself. */
export function insertKey(
  tx: Transaction,
  key: { id: string; agentId: string; issued: IssuedKey; expiresInDays?: number | undefined },
): void {
  tx.send(
    'insert-key',
    `INSERT INTO api_keys (id, public_id, hash, agent_id, created_at, expires_at)
     VALUES ($1, $2, $3, $4, date_trunc('milliseconds', now()),
       date_trunc('milliseconds', now()) + $5::int * interval '1 day')`,
    [key.id, key.issued.publicId, key.issued.hash, key.agentId, key.expiresInDays ?? null],
  )
}

/** SQL: whether key `k` of api_keys is neither revoked nor expired. */
export const KEY_IS_LIVE = `k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`

/** Transactions lock several keys in one order, so that no two wait for each other. */
export const LOCKED_IN_ORDER = 'ORDER BY id FOR NO KEY UPDATE'

/** Revokes all keys of an agent. Answers their ids, including those revoked before. */
export function revokeKeysOf(tx: Transaction, agentId: string): Promise<{ id: string }[]> {
  return tx.rows(
    'revoke-keys-of-agent',
    `UPDATE api_keys k SET revoked_at = coalesce(k.revoked_at, now())
     FROM (SELECT id FROM api_keys WHERE agent_id = $1 ${LOCKED_IN_ORDER}) own
     WHERE k.id = own.id RETURNING k.id`,
    [agentId],
  )
}

/** More keys than an agent needs at once, and few enough to list without pages. */
export const LIVE_KEYS_MAX = 20

export function listLiveKeys(query: Query, agentId: string): Promise<KeyRow[]> {
  return query.rows(
    'live-keys',
    `SELECT id, public_id, created_at, last_used_at, expires_at FROM api_keys k
     WHERE agent_id = $1 AND ${KEY_IS_LIVE} ORDER BY id LIMIT $2`,
    [agentId, LIVE_KEYS_MAX],
  )
}
