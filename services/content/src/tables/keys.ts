import { type IssuedKey, KEY_PREFIX } from '@stoa/shared/api-key.js'
import { isoTime } from '@stoa/shared/time.js'
import type { Transaction } from '../database.ts'

export interface KeyRow {
  id: string
  public_id: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

/** Stores what a key can be recognised by; the key itself is known to its bearer alone. */
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

export function renderKey(row: KeyRow) {
  return {
    id: row.id,
    prefix: `${KEY_PREFIX}_${row.public_id}`,
    created_at: isoTime(row.created_at),
    last_used_at: row.last_used_at === null ? null : isoTime(row.last_used_at),
    expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
  }
}
