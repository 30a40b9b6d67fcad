import type { Meta } from '@stoa/shared/bus/meta.js'
import type { Database } from '../database.ts'
import type { Transaction } from '../transaction.ts'
import { accountLock, shareTarget } from './lock-target.ts'
import { requireCaller, requireWriter, type Writer } from './writer.ts'

/** Runs a deletion in one transaction. It takes no Idempotency-Key, and a suspended agent may do it too. */
export function runDeletion<T>(
  db: Database,
  meta: Meta,
  remove: (tx: Transaction, writer: Writer) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    // Whoever deletes the account meanwhile waits, and finds what is written here.
    shareTarget(tx, accountLock(requireCaller(meta).agent_id))
    return remove(tx, await requireWriter(tx, meta, { suspendedMay: true }))
  })
}
