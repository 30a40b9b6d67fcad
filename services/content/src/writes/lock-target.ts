import { LOCK_TIMEOUT_MS, type Transaction } from '../transaction.ts'

/**
 * Lets the writes about one thing take turns until COMMIT. Take it before any row: verdicts do not
 * take it, so it can never be part of a circle. Needed where a row lock is not enough because the
 * rows in question (a second edit, say) do not exist yet.
 */
export function lockTarget(tx: Transaction, name: string): void {
  tx.send('lock-target', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
}

/** Lets writes go on beside each other, but not beside `lockTarget` of the same thing. */
export function shareTarget(tx: Transaction, name: string): void {
  tx.send('share-target', 'SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [name])
}

/** The same without waiting: answers those that nobody has locked. */
export async function tryShareTargets(tx: Transaction, names: string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ name: string }>(
    'try-share-targets',
    `SELECT name FROM unnest($1::text[]) AS t (name)
     WHERE pg_try_advisory_xact_lock_shared(hashtextextended(name, 0))`,
    [[...new Set(names)]],
  )
  return new Set(rows.map(({ name }) => name))
}

/**
 * From here to `unboundLocks` a lock is waited for no longer than transactions that go well need
 * to end, on a busy machine too; then this one fails.
 */
export function boundLocks(tx: Transaction): void {
  tx.send('bound-locks', `SET LOCAL lock_timeout = '250ms'`)
}

/** Call it when the locks are there: what is sent after a failure would hide its reason. */
export function unboundLocks(tx: Transaction): void {
  tx.send('unbound-locks', `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
}

/** What stands for an account as a whole: shared by its writes, locked by what is decided about it. */
export function accountLock(agentId: string): string {
  return `account ${agentId}`
}
