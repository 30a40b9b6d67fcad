import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { Database } from '../database.ts'
import type { Transaction } from '../transaction.ts'
import { findKeys, type Keys, recordKeys } from './batch-keys.ts'
import { Held } from './held.ts'
import { accountLock, shareTarget } from './lock-target.ts'
import type { Order, WriteOutcome, Written } from './order.ts'
import { requireCaller, requireWriter, type Writer } from './writer.ts'

interface WriteOptions {
  suspendedMay?: boolean
}

/** How often a write tries to begin while another request with its key is under way. */
const TRY_EVERY_MS = 20

/**
 * Runs a write in one transaction, at most once for an Idempotency-Key. The key is recorded in the
 * same transaction, so a crash leaves both or neither; a second request with the key waits a while
 * for the first to end. `planned` holds the ids of what the write is going to make, chosen
 * beforehand.
 */
export async function writeOnce(
  db: Database,
  meta: Meta,
  planned: Written,
  write: (tx: Transaction, writer: Writer) => Promise<Written | undefined>,
  options: WriteOptions = {},
): Promise<WriteOutcome> {
  const beganAt = performance.now()
  for (;;) {
    const outcome = await db.transaction((tx) => tryWrite(tx, meta, planned, write, options))
    if (!(outcome instanceof Held)) return outcome
    if (performance.now() >= beganAt + outcome.waitMs) throw outcome
    await pause(TRY_EVERY_MS)
  }
}

/**
 * The answer of `writeOnce` to a repetition, without beginning a write: for writes that must first
 * ask a service that may be away by now. Undefined if the request is the first, or the first has
 * not ended.
 */
export async function replayOf(
  db: Database,
  meta: Meta,
  options: WriteOptions,
): Promise<WriteOutcome | undefined> {
  const order = orderOf(meta)
  if (!meta.idempotency) return undefined
  const [, keys] = await db.read((query) =>
    Promise.all([requireWriter(query, meta, options), findKeys(query, [order])]),
  )
  return replayIn(keys, order)
}

async function tryWrite(
  tx: Transaction,
  meta: Meta,
  planned: Written,
  write: (tx: Transaction, writer: Writer) => Promise<Written | undefined>,
  options: WriteOptions,
): Promise<WriteOutcome | Held> {
  const order = orderOf(meta)
  // A concurrent deletion of the account waits for this write, and then finds what it wrote.
  shareTarget(tx, accountLock(order.agentId))
  const [writer, keys] = await Promise.all([
    requireWriter(tx, meta, options),
    recordKeys(tx, [order], () => planned),
  ])
  const refusal = keys.refused.get(order)
  if (refusal instanceof Held) return refusal
  const replay = replayIn(keys, order)
  if (replay) return replay
  const written = { ...planned, ...(await write(tx, writer)) }
  if (meta.idempotency && !isDeepStrictEqual(written, planned)) correctKey(tx, meta, written)
  return { ...written, replayed: false }
}

function orderOf(meta: Meta): Order {
  const { agent_id: agentId, key_id: keyId } = requireCaller(meta)
  return { meta, agentId, keyId }
}

/** Throws if the key was used for another body. */
function replayIn(
  { refused, replayed }: Pick<Keys<Order>, 'refused' | 'replayed'>,
  order: Order,
): WriteOutcome | undefined {
  const refusal = refused.get(order)
  if (refusal) throw refusal
  const known = replayed.get(order)
  return known && { ...known, replayed: true }
}

/** A write may turn out to concern a thing that existed before: the key then names that thing. */
function correctKey(tx: Transaction, meta: Meta, written: Written): void {
  tx.send(
    'correct-idempotency',
    `UPDATE idempotency SET resource_id = $4, case_id = $5
     WHERE agent_id = $1 AND scope = $2 AND key = $3`,
    [
      ...[meta.caller?.agent_id, meta.idempotency?.scope, meta.idempotency?.key],
      ...[written.resourceId, written.caseId],
    ],
  )
}
