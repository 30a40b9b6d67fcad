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

/** A write that has not begun, since a twin of it is under way, tries again so often. */
const TRY_EVERY_MS = 20

/**
 * Runs a write in one transaction, at most once for an Idempotency-Key. The key is recorded in the
 * same transaction, so a crash leaves both or neither; a twin that arrives meanwhile waits a while
 * for the first to end. `planned` is what the write is going to make: its ids are chosen before.
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
 * What `writeOnce` would answer to a repetition, without beginning a write: for one that has to ask
 * somebody before it can begin, who may be away by now. Undefined where it is the first, or its twin
 * has not ended.
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
  // Whoever deletes the account meanwhile waits, and finds what is written here.
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

/** Throws where the key was used for another body. */
function replayIn(
  { refused, replayed }: Pick<Keys<Order>, 'refused' | 'replayed'>,
  order: Order,
): WriteOutcome | undefined {
  const refusal = refused.get(order)
  if (refusal) throw refusal
  const known = replayed.get(order)
  return known && { ...known, replayed: true }
}

/** A write may find that it is about something there before: the key then names that. */
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
