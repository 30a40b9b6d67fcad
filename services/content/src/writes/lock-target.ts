import { LOCK_TIMEOUT_MS, type Transaction } from '../transaction.ts'

/**
 * Makes the writes about one thing take turns until COMMIT. Take this lock before any row lock:
 * verdicts do not take it, so it can never be part of a deadlock. It is needed where row locks do
 * not suffice because the rows (of a second edit, say) do not exist yet.
 */
export function lockTarget(tx: Transaction, name: string): void {
  tx.send('lock-target', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
}

/** Lets writes run at the same time, but not together with a `lockTarget` of the same thing. */
export function shareTarget(tx: Transaction, name: string): void {
  tx.send('share-target', 'SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [name])
}

/** The same without waiting: answers the names that no `lockTarget` holds. */
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
 * From here to `unboundLocks`, the transaction waits at most 250 ms for a lock, the time in which
 * a healthy transaction ends even on a busy machine, and then fails.
 */
export function boundLocks(tx: Transaction): void {
  tx.send('bound-locks', `SET LOCAL lock_timeout = '250ms'`)
}

/**
 * Call this as soon as the locks are held: statements sent after a failure would hide its reason.
 */
export function unboundLocks(tx: Transaction): void {
  tx.send('unbound-locks', `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
}

/**
 * The lock on a whole account: its writes share it, and decisions about the account take it alone.
 */
export function accountLock(agentId: string): string {
  return `account ${agentId}`
}
