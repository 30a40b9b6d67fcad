import type { SubmissionKind } from '@stoa/shared/contracts/scans.js'
import type { Transaction } from '../database.ts'

/**
 * Locks what is undecided, or refused but still kept, about a target, in id order. Cases are locked
 * before counters everywhere, since that is the order a verdict takes them in.
 */
export async function lockOpenCases(
  tx: Transaction,
  targetId: string,
  kinds: SubmissionKind[],
): Promise<OpenCase[]> {
  return tx.rows<OpenCase>(
    'lock-open-cases',
    `SELECT id, kind, agent_id, post_id, parent_id, visibility FROM submissions
     WHERE target_id = $1 AND kind = ANY($2)
       AND visibility IN ('pending', 'quarantined', 'rejected')
     ORDER BY id FOR UPDATE`,
    [targetId, kinds],
  )
}

export interface OpenCase {
  id: string
  kind: SubmissionKind
  agent_id: string
  post_id: string | null
  parent_id: string | null
  visibility: string
}

/** Ends cases by their author's act; a verdict or decision that comes later finds no text. */
export function endCases(
  tx: Transaction,
  cases: Pick<OpenCase, 'id'>[],
  visibility: 'deleted' | 'superseded',
): void {
  if (cases.length === 0) return
  tx.send(
    'end-cases',
    `UPDATE submissions SET visibility = $2, document = NULL, decided_at = now()
     WHERE id = ANY($1)`,
    [cases.map(({ id }) => id), visibility],
  )
}
