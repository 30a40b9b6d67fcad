import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import type { SubmissionKind } from '@stoa/shared/contracts/scans.js'
import type { Query, Transaction } from '../transaction.ts'

/** Undecided, or refused but still kept. */
export const OPEN = ['pending', 'quarantined', 'rejected']
/** All states except those in which an act of the author has ended the case. */
export const STANDING = [...OPEN, 'public', 'removed']

/** The cases about a target whose texts may still replace its public text. */
export async function waitingCaseIds(query: Query, targetId: string): Promise<string[]> {
  const rows = await query.rows<{ id: string }>(
    'waiting-cases-of',
    'SELECT id FROM submissions WHERE target_id = $1 AND visibility = ANY($2)',
    [targetId, OPEN],
  )
  return rows.map(({ id }) => id)
}

/**
 * Locks the cases about a target whose visibility is one of `states`, in id order. Cases are locked
 * before counters everywhere, because a verdict takes them in that order.
 */
export async function lockCasesOf(
  tx: Transaction,
  targetId: string,
  kinds: SubmissionKind[],
  states: string[],
): Promise<OpenCase[]> {
  return tx.rows<OpenCase>(
    'lock-cases-of',
    `SELECT id, agent_id, visibility FROM submissions
     WHERE target_id = $1 AND kind = ANY($2) AND visibility = ANY($3)
     ORDER BY id FOR UPDATE`,
    [targetId, kinds, states],
  )
}

export interface OpenCase {
  id: string
  agent_id: string
  visibility: CaseVisibility
}

/** Ends cases by their author's act; a verdict or decision that comes later finds no text. */
export function withdrawCases(
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
