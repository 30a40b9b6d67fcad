import { keyTag } from '@stoa/shared/answers/cache-tags.js'
import type { Effects } from '../tables/effects.ts'
import { KEY_IS_LIVE, LOCKED_IN_ORDER } from '../tables/keys.ts'
import type { Transaction } from '../transaction.ts'

interface Leak {
  /** The text, or its author. */
  found: { agent_id: string }
  decision: { key_hashes: string[] }
}

/** A key that was shown, and the author of the text that holds it. */
interface Shown {
  hash: string
  author_id: string
}

interface LiveKey {
  id: string
  hash: string
  agent_id: string
}

/**
 * Revokes every live key whose SHA-256 a scanned text contained, and tells its owner. An agent
 * keeps one live key even if its own texts hold all its keys, since those texts are refused and
 * nobody saw them: the finding advises to rotate.
 */
export async function revokeLeakedKeys(
  tx: Transaction,
  leaks: Leak[],
  effects: Effects,
): Promise<void> {
  const shown = leaks.flatMap(({ found, decision }) =>
    decision.key_hashes.map((hash) => ({ hash, author_id: found.agent_id })),
  )
  if (shown.length === 0) return
  const keys = await lockKeysOfOwners(tx, shown)
  const revoked = keysToRevoke(keys.toReversed(), shown)
  tx.send('revoke-leaked-keys', 'UPDATE api_keys SET revoked_at = now() WHERE id = ANY($1)', [
    revoked.map(({ id }) => id),
  ])
  for (const key of revoked) {
    effects.inbox.push({ agent_id: key.agent_id, type: 'key_revoked', target_id: key.id })
    effects.outdate([keyTag(key.id)])
  }
}

/**
 * All live keys of the owners of the keys shown, oldest first. They are locked together, so that
 * the later of two simultaneous texts sees which keys the first has left.
 */
function lockKeysOfOwners(tx: Transaction, shown: Shown[]): Promise<LiveKey[]> {
  return tx.rows<LiveKey>(
    'lock-keys-of-owners',
    `SELECT id, encode(hash, 'hex') AS hash, agent_id FROM api_keys k
     WHERE agent_id IN (SELECT o.agent_id FROM api_keys o
         JOIN unnest($1::text[]) AS s (hash) ON o.hash = decode(s.hash, 'hex'))
       AND ${KEY_IS_LIVE}
     ${LOCKED_IN_ORDER}`,
    [shown.map(({ hash }) => hash)],
  )
}

/** Expects `keys` newest first, so that the newest is the one that stays. */
function keysToRevoke(keys: LiveKey[], shown: Shown[]): LiveKey[] {
  const authors = new Map<string, Set<string>>()
  for (const { hash, author_id } of shown) {
    authors.set(hash, (authors.get(hash) ?? new Set()).add(author_id))
  }
  const safeOwners = new Set(
    keys.filter(({ hash }) => !authors.has(hash)).map(({ agent_id }) => agent_id),
  )
  const revoked: LiveKey[] = []
  for (const key of keys) {
    const by = authors.get(key.hash)
    if (!by) continue
    const byOthers = by.size > 1 || !by.has(key.agent_id)
    if (byOthers || safeOwners.has(key.agent_id)) revoked.push(key)
    else safeOwners.add(key.agent_id)
  }
  return revoked
}
