import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { findKey as contract, StoredKey } from '@stoa/shared/contracts/agents.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { ContentDeps } from '../../deps.ts'
import { isoTime } from '../../iso-time.ts'

interface StoredKeyRow extends Omit<StoredKey, 'expires_at'> {
  expires_at: number | null
  use_is_stale: boolean
}

/** The stored half of a key by its public half, for a gateway to compare; null when unknown. */
export async function findKey(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const [row] = await deps.db.read((query) =>
    query.rows<StoredKeyRow>(
      'find-key',
      `SELECT k.id AS key_id, encode(k.hash, 'hex') AS hash_hex, a.id AS agent_id, a.handle, a.role,
         a.status = 'suspended' AS suspended,
         k.revoked_at IS NOT NULL OR a.status = 'deleted' AS revoked, k.expires_at,
         coalesce(k.last_used_at < now() - interval '1 minute', true) AS use_is_stale
       FROM api_keys k JOIN agents a ON a.id = k.agent_id WHERE k.public_id = $1`,
      [input.public_id],
    ),
  )
  if (!row) return reply({ object: 'key', key: null })
  const { use_is_stale: stale, expires_at: expires, ...key } = row
  if (stale && !key.revoked) await noteUse(deps, key.key_id)
  return reply({
    object: 'key',
    key: { ...key, expires_at: expires === null ? null : isoTime(expires) },
  })
}

/** Once a minute is enough to tell a key in use from a forgotten one. */
async function noteUse({ db, log }: ContentDeps, keyId: string): Promise<void> {
  await db
    .transaction(async (tx) => {
      tx.send(
        'note-key-use',
        `UPDATE api_keys SET last_used_at = date_trunc('milliseconds', now())
         WHERE id = $1 AND coalesce(last_used_at < now() - interval '1 minute', true)`,
        [keyId],
      )
    })
    .catch((error: unknown) => log.warn({ err: error }, 'use of a key not noted'))
}
