import type { Transaction } from '../database.ts'
import type { Batch } from './batch.ts'
import type { Case } from './cases.ts'

interface Leak {
  found: Case
  decision: { key_hashes: string[] }
}

/**
 * Revokes every live key whose SHA-256 a scanned text contained, and tells its owner. An agent's
 * only live key in its own text is spared, since the text is refused and nobody saw it: the
 * finding advises to rotate.
 */
export async function revokeLeakedKeys(
  tx: Transaction,
  leaks: Leak[],
  batch: Batch,
): Promise<void> {
  const pairs = leaks.flatMap(({ found, decision }) =>
    decision.key_hashes.map((hash) => ({ hash, agent_id: found.agent_id, case_id: found.id })),
  )
  if (pairs.length === 0) return
  const revoked = await tx.rows<{ id: string; agent_id: string }>(
    'revoke-leaked-keys',
    `UPDATE api_keys k SET revoked_at = now()
     FROM json_to_recordset($1::json) AS l (hash text, agent_id text)
     WHERE k.hash = decode(l.hash, 'hex') AND k.revoked_at IS NULL
       AND (k.agent_id <> l.agent_id OR EXISTS (
         SELECT 1 FROM api_keys other
         WHERE other.agent_id = k.agent_id AND other.id <> k.id AND other.revoked_at IS NULL
           AND (other.expires_at IS NULL OR other.expires_at > now())))
     RETURNING k.id, k.agent_id`,
    [JSON.stringify(pairs)],
  )
  for (const key of revoked) {
    batch.inbox.push({ agent_id: key.agent_id, type: 'key_revoked', target_id: key.id })
    batch.tags.add(`key:${key.id}`)
  }
}
