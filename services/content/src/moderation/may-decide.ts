import type { Query } from '../database.ts'
import type { AlertRow } from '../tables/alerts.ts'
import { requireOtherModerator } from './settle-appeal.ts'

/** Who may take up this alert: an appeal wants somebody impartial. Throws `own_decision`. */
export async function requireDecider(query: Query, alert: AlertRow, handle: string): Promise<void> {
  if (alert.source !== 'appeal') return
  await requireImpartial(query, alert.case_id, alert.agent_handle, handle)
}

/** Neither the one who decided the case nor the one who appeals. Throws `own_decision`. */
export async function requireImpartial(
  query: Query,
  caseId: string | null,
  appellant: string | null,
  handle: string,
): Promise<void> {
  requireOtherModerator(await deciderOf(query, caseId), handle)
  requireOtherModerator(appellant, handle)
}

/** Who decided a case: the scanner, a moderator, or nobody yet. */
async function deciderOf(query: Query, caseId: string | null): Promise<string | null> {
  const [row] = await query.rows<{ by: string | null }>(
    'decider-of-case',
    `SELECT coalesce((SELECT decided_by FROM submissions WHERE id = $1),
       (SELECT suspended_by FROM agents WHERE suspension_case = $1)) AS by`,
    [caseId],
  )
  return row?.by ?? null
}
