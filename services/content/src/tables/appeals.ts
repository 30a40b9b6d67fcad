import type { Query, Transaction } from '../database.ts'

export interface AppealRow {
  case_id: string
  agent_id: string
  reason: string
  status: 'open' | 'granted' | 'denied' | 'withdrawn'
  created_at: number
  decided_at: number | null
  decided_by: string | null
  decision_note: string | null
}

export async function findAppeal(query: Query, caseId: string): Promise<AppealRow | undefined> {
  const [row] = await query.rows<AppealRow>(
    'find-appeal',
    'SELECT * FROM appeals WHERE case_id = $1',
    [caseId],
  )
  return row
}

/** The appeal that waits for a decision about this case, if there is one. */
export async function lockOpenAppeal(
  tx: Transaction,
  caseId: string | null,
): Promise<AppealRow | undefined> {
  if (caseId === null) return undefined
  const [row] = await tx.rows<AppealRow>(
    'lock-open-appeal',
    `SELECT * FROM appeals WHERE case_id = $1 AND status = 'open' FOR UPDATE`,
    [caseId],
  )
  return row
}

/** Answers false where the case has been appealed before. */
export async function insertAppeal(
  tx: Transaction,
  appeal: { caseId: string; agentId: string; reason: string },
): Promise<boolean> {
  const rows = await tx.rows(
    'insert-appeal',
    `INSERT INTO appeals (case_id, agent_id, reason, created_at)
     VALUES ($1, $2, $3, date_trunc('milliseconds', now())) ON CONFLICT DO NOTHING RETURNING 1`,
    [appeal.caseId, appeal.agentId, appeal.reason],
  )
  return rows.length > 0
}

export function decideAppeal(
  tx: Transaction,
  decision: { caseId: string; status: 'granted' | 'denied'; by: string; note: string },
): void {
  tx.send(
    'decide-appeal',
    `UPDATE appeals SET status = $2, decided_by = $3, decision_note = $4,
       decided_at = date_trunc('milliseconds', clock_timestamp())
     WHERE case_id = $1`,
    [decision.caseId, decision.status, decision.by, decision.note],
  )
}

/** Ends the open appeals of an agent, about these cases or about all. */
export function withdrawAppeals(tx: Transaction, agentId: string, caseIds: string[] | null): void {
  tx.send(
    'withdraw-appeals',
    `UPDATE appeals SET status = 'withdrawn',
       decided_at = date_trunc('milliseconds', clock_timestamp())
     WHERE agent_id = $1 AND ($2::text[] IS NULL OR case_id = ANY($2)) AND status = 'open'`,
    [agentId, caseIds],
  )
}
