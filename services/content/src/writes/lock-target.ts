import type { Transaction } from '../database.ts'

/**
 * Lets the writes about one thing take turns until COMMIT. Take it before any row: verdicts do not
 * take it, so it can never be part of a circle. Needed where a row lock is not enough because the
 * rows in question (a second edit, say) do not exist yet.
 */
export function lockTarget(tx: Transaction, name: string): void {
  tx.send('lock-target', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
}

/** Lets these go on beside each other, but not beside `lockTarget` of the same thing. */
export function shareTargets(tx: Transaction, names: string[]): void {
  tx.send(
    'share-targets',
    'SELECT pg_advisory_xact_lock_shared(hashtextextended(name, 0)) FROM unnest($1::text[]) AS t (name)',
    // In one order everywhere, or two could wait for each other behind somebody who locks.
    [[...new Set(names)].sort()],
  )
}

/** What stands for an account as a whole: shared by its writes, locked by its deletion. */
export function accountLock(agentId: string): string {
  return `account ${agentId}`
}
