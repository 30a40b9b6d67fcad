import { AppError } from '@stoa/shared/errors/errors.js'
import type { Query, Transaction } from '../transaction.ts'
import { heldKey } from './held.ts'
import type { Order, Written } from './order.ts'

export interface Keys<O extends Order> {
  /** Orders whose key was new. */
  recorded: Set<O>
  /** Orders whose key and body are known, with what was written for them the first time. */
  replayed: Map<O, Written>
  /** Orders whose key was used for another body, or is in use by a request under way elsewhere. */
  refused: Map<O, AppError>
}

type Keyed<O> = O & { meta: { idempotency: { key: string; scope: string; body_hash: string } } }

interface KeyRow {
  agent_id: string
  scope: string
  key: string
  body_hash: string
  resource_id: string
  case_id: string | null
}

/**
 * Records the Idempotency-Keys of a batch in one statement. No two orders of the batch have the
 * same key. It goes with the first statements of the batch, before anyone knows which orders will
 * be refused; `forgetKeys` deletes their keys again.
 *
 * An INSERT would wait for a transaction under way that has inserted the same key, whose row nobody
 * else can see yet. A transaction that records a key therefore holds an advisory lock on its name,
 * which can be tried without waiting.
 */
export async function recordKeys<O extends Order>(
  tx: Transaction,
  orders: O[],
  plannedOf: (order: O) => Written,
): Promise<Keys<O>> {
  const keys: Keys<O> = { recorded: new Set(), replayed: new Map(), refused: new Map() }
  const keyed = orders.filter(isKeyed)
  if (keyed.length === 0) return keys
  const inserted = await tx.rows<KeyRow>(
    'insert-keys',
    `INSERT INTO idempotency (agent_id, scope, key, body_hash, resource_id, case_id, created_at)
     SELECT agent_id, scope, key, body_hash, resource_id, case_id, now()
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       AS k (agent_id, scope, key, body_hash, resource_id, case_id)
     WHERE pg_try_advisory_xact_lock(
       hashtextextended(concat_ws(' ', 'key', agent_id, scope, key), 0))
     ON CONFLICT DO NOTHING RETURNING agent_id, scope, key`,
    [
      ...columns(keyed),
      keyed.map(bodyHash),
      keyed.map((order) => plannedOf(order).resourceId),
      keyed.map((order) => plannedOf(order).caseId),
    ],
  )
  const names = new Set(inserted.map(nameOfRow))
  const known = keyed.filter((order) => !names.has(nameOf(order)))
  for (const order of keyed) if (names.has(nameOf(order))) keys.recorded.add(order)
  if (known.length === 0) return keys
  const found = await findKeys(tx, known)
  for (const order of known) {
    if (!found.replayed.has(order) && !found.refused.has(order)) found.refused.set(order, heldKey())
  }
  return { ...keys, ...found }
}

/** Deletes the keys of refused orders, so that they are free for another attempt. */
export function forgetKeys<O extends Order>(
  tx: Transaction,
  keys: Keys<O>,
  refused: Iterable<O>,
): void {
  const orders = [...refused].filter((order): order is Keyed<O> => keys.recorded.has(order))
  if (orders.length === 0) return
  tx.send(
    'forget-keys',
    `DELETE FROM idempotency i USING unnest($1::text[], $2::text[], $3::text[])
       AS k (agent_id, scope, key)
     WHERE i.agent_id = k.agent_id AND i.scope = k.scope AND i.key = k.key`,
    columns(orders),
  )
}

/** What finished transactions have written under the keys of these orders. */
export async function findKeys<O extends Order>(
  query: Query,
  orders: O[],
): Promise<Omit<Keys<O>, 'recorded'>> {
  const keys = { replayed: new Map<O, Written>(), refused: new Map<O, AppError>() }
  const keyed = orders.filter(isKeyed)
  if (keyed.length === 0) return keys
  const rows = await query.rows<KeyRow>(
    'find-keys',
    `SELECT i.agent_id, i.scope, i.key, i.body_hash, i.resource_id, i.case_id
     FROM unnest($1::text[], $2::text[], $3::text[]) AS k (agent_id, scope, key)
     JOIN idempotency i USING (agent_id, scope, key)`,
    columns(keyed),
  )
  const byName = new Map(rows.map((row) => [nameOfRow(row), row]))
  for (const order of keyed) {
    const row = byName.get(nameOf(order))
    if (!row) continue
    if (row.body_hash === bodyHash(order)) {
      keys.replayed.set(order, { resourceId: row.resource_id, caseId: row.case_id })
    } else keys.refused.set(order, new AppError('idempotency_key_reused'))
  }
  return keys
}

function isKeyed<O extends Order>(order: O): order is Keyed<O> {
  return order.meta.idempotency !== undefined
}

function nameOf({ agentId, meta }: Keyed<Order>): string {
  return `${agentId} ${meta.idempotency.scope} ${meta.idempotency.key}`
}

function nameOfRow(row: KeyRow): string {
  return `${row.agent_id} ${row.scope} ${row.key}`
}

function bodyHash({ meta }: Keyed<Order>): string {
  return meta.idempotency.body_hash
}

function columns(orders: Keyed<Order>[]): string[][] {
  return [
    orders.map((order) => order.agentId),
    orders.map((order) => order.meta.idempotency.scope),
    orders.map((order) => order.meta.idempotency.key),
  ]
}
