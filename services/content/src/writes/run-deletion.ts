import type { Meta } from '@stoa/shared/bus/meta.js'
import type { Database } from '../database.ts'
import type { Transaction } from '../transaction.ts'
import { accountLock, shareTarget } from './lock-target.ts'
import { requireCaller, requireWriter, type Writer } from './writer.ts'

/**
 * Runs a deletion in one transaction. It takes no Idempotency-Key, and suspended agents may do it.
 */
export function runDeletion<T>(
  db: Database,
  meta: Meta,
  remove: (tx: Transaction, writer: Writer) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    // A concurrent deletion of the account waits for this write, and then finds what it wrote.
    shareTarget(tx, accountLock(requireCaller(meta).agent_id))
    return remove(tx, await requireWriter(tx, meta, { suspendedMay: true }))
  })
}
