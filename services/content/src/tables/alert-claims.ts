import type { Transaction } from '../transaction.ts'
import type { AlertRow } from './alerts.ts'

/** A claim lapses, so that a moderator who went away does not keep an alert for ever. */
const CLAIM_LASTS_MS = 3_600_000

/** When the claim lapses, in milliseconds since 1970; null if nobody has claimed the alert. */
export function claimEnds({ status, claimed_at: at }: AlertRow): number | null {
  return status === 'claimed' && at !== null ? at + CLAIM_LASTS_MS : null
}

export function saveClaim(tx: Transaction, id: string, handle: string): void {
  tx.send(
    'save-claim',
    `UPDATE alerts SET status = 'claimed', claimed_by = $2, claimed_at = now() WHERE id = $1`,
    [id, handle],
  )
}

export function dropClaim(tx: Transaction, id: string): void {
  tx.send(
    'drop-claim',
    `UPDATE alerts SET status = 'open', claimed_by = NULL, claimed_at = NULL WHERE id = $1`,
    [id],
  )
}

/**
 * Reopens at most `max` alerts whose claims have lapsed; answers how many. A claim dated more than
 * CLAIM_LASTS_MS ahead was made before the clock was set back, and lapses as well.
 */
export async function endLapsedClaims(tx: Transaction, max: number): Promise<number> {
  const rows = await tx.rows(
    'end-lapsed-claims',
    `UPDATE alerts SET status = 'open', claimed_by = NULL, claimed_at = NULL
     WHERE id IN (
       SELECT id FROM alerts
       WHERE status = 'claimed' AND claimed_at NOT BETWEEN
         now() - $1 * interval '1 millisecond' AND now() + $1 * interval '1 millisecond'
       ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
    [CLAIM_LASTS_MS, max],
  )
  return rows.length
}
