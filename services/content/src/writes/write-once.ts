import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { Database } from '../database.ts'
import type { Transaction } from '../transaction.ts'
import { recordKeys } from './batch-keys.ts'
import { Held } from './held.ts'
import { accountLock, shareTarget } from './lock-target.ts'
import type { WriteOutcome, Written } from './order.ts'
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

async function tryWrite(
  tx: Transaction,
  meta: Meta,
  planned: Written,
  write: (tx: Transaction, writer: Writer) => Promise<Written | undefined>,
  options: WriteOptions,
): Promise<WriteOutcome | Held> {
  const { agent_id: agentId, key_id: keyId } = requireCaller(meta)
  const order = { meta, agentId, keyId }
  // Whoever deletes the account meanwhile waits, and finds what is written here.
  shareTarget(tx, accountLock(agentId))
  const [writer, keys] = await Promise.all([
    requireWriter(tx, meta, options),
    recordKeys(tx, [order], () => planned),
  ])
  const refusal = keys.refused.get(order)
  if (refusal instanceof Held) return refusal
  if (refusal) throw refusal
  const known = keys.replayed.get(order)
  if (known) return { ...known, replayed: true }
  const written = { ...planned, ...(await write(tx, writer)) }
  if (meta.idempotency && !isDeepStrictEqual(written, planned)) correctKey(tx, meta, written)
  return { ...written, replayed: false }
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
