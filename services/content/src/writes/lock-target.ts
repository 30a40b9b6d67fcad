import type { Transaction } from '../database.ts'

/**
 * Lets the writes about one thing take turns until COMMIT. Take it before any row: verdicts do not
 * take it, so it can never be part of a circle. Needed where a row lock is not enough because the
 * rows in question (a second edit, say) do not exist yet.
 */
export function lockTarget(tx: Transaction, name: string): void {
  tx.send('lock-target', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
}
