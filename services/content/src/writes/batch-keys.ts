import { AppError } from '@stoa/shared/errors.js'
import type { Transaction } from '../database.ts'
import type { VoteOrder } from './vote-batch.ts'

interface Keys {
  /** Votes whose key and body are known: they are answered with what stands. */
  replayed: Set<VoteOrder>
  refused: Map<VoteOrder, AppError>
}

type Keyed = VoteOrder & {
  meta: { idempotency: { key: string; scope: string; body_hash: string } }
}

/**
 * Records the Idempotency-Keys of a batch in one statement, as `writeOnce` does for one write. The
 * targets are locked by now, so what is recorded here is a vote that will be written.
 */
export async function recordVoteKeys(tx: Transaction, orders: VoteOrder[]): Promise<Keys> {
  const keys: Keys = { replayed: new Set(), refused: new Map() }
  const keyed = orders.filter((order): order is Keyed => order.meta.idempotency !== undefined)
  if (keyed.length === 0) return keys
  // In one order everywhere, so that two batches cannot wait for each other's keys.
  keyed.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const inserted = await tx.rows<{ agent_id: string; scope: string; key: string }>(
    'insert-vote-keys',
    `INSERT INTO idempotency (agent_id, scope, key, body_hash, resource_id, created_at)
     SELECT agent_id, scope, key, body_hash, target_id, now()
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
       AS k (agent_id, scope, key, body_hash, target_id)
     ON CONFLICT DO NOTHING RETURNING agent_id, scope, key`,
    [...columns(keyed), keyed.map(bodyHash), keyed.map((order) => order.targetId)],
  )
  const recorded = new Set(inserted.map((row) => `${row.agent_id} ${row.scope} ${row.key}`))
  const known = keyed.filter((order) => !recorded.has(nameOf(order)))
  if (known.length === 0) return keys
  const rows = await tx.rows<{ agent_id: string; scope: string; key: string; body_hash: string }>(
    'find-vote-keys',
    `SELECT i.agent_id, i.scope, i.key, i.body_hash
     FROM unnest($1::text[], $2::text[], $3::text[]) AS k (agent_id, scope, key)
     JOIN idempotency i USING (agent_id, scope, key)`,
    columns(known),
  )
  const hashes = new Map(rows.map((row) => [`${row.agent_id} ${row.scope} ${row.key}`, row]))
  for (const order of known) {
    const sameBody = hashes.get(nameOf(order))?.body_hash === bodyHash(order)
    if (sameBody) keys.replayed.add(order)
    else keys.refused.set(order, new AppError('idempotency_key_reused'))
  }
  return keys
}

function nameOf({ agentId, meta }: Keyed): string {
  return `${agentId} ${meta.idempotency.scope} ${meta.idempotency.key}`
}

function bodyHash({ meta }: Keyed): string {
  return meta.idempotency.body_hash
}

function columns(orders: Keyed[]): string[][] {
  return [
    orders.map((order) => order.agentId),
    orders.map((order) => order.meta.idempotency.scope),
    orders.map((order) => order.meta.idempotency.key),
  ]
}
