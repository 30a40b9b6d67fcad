import type { Transaction } from '../database.ts'
import { type ScanWanted, scanRequests } from '../tables/scan-requests.ts'
import type { Batch } from './batch.ts'

/**
 * Sends what these agents have waiting through the scan again: it was allowed while its author
 * could not publish (the profile was not cleared, or the account was suspended) and nothing stands
 * in its way now. `settled` are cases that this transaction ends otherwise.
 */
export async function releaseHeld(
  tx: Transaction,
  agentIds: string[],
  batch: Pick<Batch, 'events'>,
  settled: string[] = [],
): Promise<void> {
  const released = await tx.rows<ScanWanted>(
    'release-held',
    `UPDATE submissions SET verdict = NULL, revision = revision + 1, requested_at = now()
     WHERE agent_id = ANY($1) AND visibility = 'pending' AND verdict IS NOT NULL
       AND id <> ALL($2)
     RETURNING id, kind, revision`,
    [agentIds, settled],
  )
  batch.events.push(...scanRequests(released))
}
