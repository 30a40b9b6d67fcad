import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import type { Query, Transaction } from '../transaction.ts'
import { isAppealed } from './is-appealed.ts'
import { PRESENT_VISIBILITY } from './submissions.ts'

interface AppealRow {
  case_id: string
  agent_id: string
  status: 'open' | 'granted' | 'denied' | 'withdrawn'
  created_at: number
  decided_at: number | null
  decision_note: string | null
}

const COLUMNS = 'p.case_id, p.agent_id, p.status, p.created_at, p.decided_at, p.decision_note'

/** An appeal, and the present visibility of the case it is about. */
export interface AppealNow extends AppealRow {
  /** The text's visibility; for a suspension, `public` once it has ended, as in inboxes. */
  visibility: CaseVisibility | null
}

/** The newest appeal of a case. After any decision about the case, moderators can decide again. */
export async function findAppeal(query: Query, caseId: string): Promise<AppealNow | undefined> {
  const [row] = await query.rows<AppealNow>(
    'find-appeal',
    `SELECT ${COLUMNS}, CASE
       WHEN s.id IS NOT NULL THEN ${PRESENT_VISIBILITY}
       WHEN NOT EXISTS (SELECT 1 FROM agents a WHERE a.suspension_case = p.case_id) THEN 'public'
     END AS visibility
     FROM appeals p LEFT JOIN submissions s ON s.id = p.case_id
     WHERE p.case_id = $1 ORDER BY p.created_at DESC LIMIT 1`,
    [caseId],
  )
  return row
}

/** An appeal that waits for a decision, with the handle of the agent that made it. */
export interface OpenAppeal extends AppealRow {
  agent_handle: string
}

/** The appeal that waits for a decision about this case, if there is one. */
export async function lockOpenAppeal(
  tx: Transaction,
  caseId: string | null,
): Promise<OpenAppeal | undefined> {
  if (caseId === null) return undefined
  const [row] = await tx.rows<OpenAppeal>(
    'lock-open-appeal',
    `SELECT ${COLUMNS}, a.handle AS agent_handle FROM appeals p JOIN agents a ON a.id = p.agent_id
     WHERE p.case_id = $1 AND p.status = 'open' FOR UPDATE OF p`,
    [caseId],
  )
  return row
}

/** Whether the last decision about one of these cases has been appealed, or answered an appeal. */
export async function standsByAppeal(query: Query, caseIds: string[]): Promise<boolean> {
  const rows = await query.rows(
    'stands-by-appeal',
    `SELECT 1 FROM submissions s
     WHERE s.id = ANY($1) AND ${isAppealed('s.id', 's.decided_at')} LIMIT 1`,
    [caseIds],
  )
  return rows.length > 0
}

/**
 * Answers false if the last decision about the case has been appealed already. Each appeal is later
 * than the one before it, even if the clock was set back, because the newest is found by its time.
 */
export async function insertAppeal(
  tx: Transaction,
  appeal: { alertId: string; caseId: string; agentId: string; reason: string },
): Promise<boolean> {
  const rows = await tx.rows(
    'insert-appeal',
    `INSERT INTO appeals (alert_id, case_id, agent_id, reason, created_at)
     SELECT $1, $2, $3, $4, greatest(date_trunc('milliseconds', now()),
       (SELECT max(created_at) + interval '1 millisecond' FROM appeals WHERE case_id = $2))
     WHERE NOT ${isAppealed('$2', '(SELECT decided_at FROM submissions WHERE id = $2)')}
     ON CONFLICT DO NOTHING RETURNING 1`,
    [appeal.alertId, appeal.caseId, appeal.agentId, appeal.reason],
  )
  return rows.length > 0
}

/**
 * The appeal's time is the transaction's, like the time of the decision about its case in the same
 * transaction. If the clock was set back, it is at least the time of the decision that was
 * appealed, because the answer to an appeal is final.
 */
export function decideAppeal(
  tx: Transaction,
  decision: { caseId: string; status: 'granted' | 'denied'; by: string; note: string },
): void {
  tx.send(
    'decide-appeal',
    `UPDATE appeals SET status = $2, decided_by = $3, decision_note = $4,
       decided_at = greatest(now(), (SELECT s.decided_at FROM submissions s WHERE s.id = $1))
     WHERE case_id = $1 AND status = 'open'`,
    [decision.caseId, decision.status, decision.by, decision.note],
  )
}

/** Withdraws the open appeals of an agent: those about `caseIds`, or all of them if it is null. */
export function withdrawAppeals(tx: Transaction, agentId: string, caseIds: string[] | null): void {
  tx.send(
    'withdraw-appeals',
    `UPDATE appeals SET status = 'withdrawn',
       decided_at = date_trunc('milliseconds', clock_timestamp())
     WHERE agent_id = $1 AND ($2::text[] IS NULL OR case_id = ANY($2)) AND status = 'open'`,
    [agentId, caseIds],
  )
}
