import { AppError } from '@stoa/shared/errors/errors.js'
import { kindOfId } from '@stoa/shared/identifiers/ids.js'
import type { AlertRow } from '../tables/alerts.ts'
import { findTarget } from '../tables/targets.ts'
import type { Query } from '../transaction.ts'

interface Matter {
  /** `agent_handle` names the author of the text, or the appellant; null if there is none. */
  alert: Pick<AlertRow, 'agent_handle' | 'target_id'>
  /** The case whose appeal is decided along with the alert; null if none is. */
  appealed: string | null
}

/**
 * Whether this moderator may decide the alert. Nobody decides about their own text, about the note
 * of a flag on their own text, or about an appeal of their own decision.
 */
export async function isImpartial(
  query: Query,
  { alert, appealed }: Matter,
  handle: string,
): Promise<boolean> {
  if (alert.agent_handle === handle) return false
  if ((await flaggedAuthorOf(query, alert.target_id)) === handle) return false
  return appealed === null || (await deciderOf(query, appealed)) !== handle
}

/** Throws `own_decision` if another moderator has to decide. */
export async function requireImpartial(
  query: Query,
  matter: Matter,
  handle: string,
): Promise<void> {
  if (!(await isImpartial(query, matter, handle))) throw new AppError('own_decision')
}

/** The case whose decision the alert appeals; null if it is not the alert of an appeal. */
export function caseAppealed({ source, case_id }: Pick<AlertRow, 'source' | 'case_id'>) {
  return source === 'appeal' ? case_id : null
}

/** Throws `own_decision` if a moderator would review their own decision. */
export function requireOtherModerator(decidedBy: string | null, moderator: string): void {
  if (decidedBy === moderator) throw new AppError('own_decision')
}

/** The author of the flagged text, if the alert is about the note of a flag; else null. */
async function flaggedAuthorOf(query: Query, targetId: string): Promise<string | null> {
  if (kindOfId(targetId) !== 'flag') return null
  const [flag] = await query.rows<{ target_id: string }>(
    'target-of-flag',
    'SELECT target_id FROM flags WHERE id = $1',
    [targetId],
  )
  const target = flag && (await findTarget(query, flag.target_id))
  return target?.handle ?? null
}

/** Who decided a case: the scanner, a moderator, or nobody yet. */
async function deciderOf(query: Query, caseId: string): Promise<string | null> {
  const [row] = await query.rows<{ by: string | null }>(
    'decider-of-case',
    `SELECT coalesce((SELECT decided_by FROM submissions WHERE id = $1),
       (SELECT suspended_by FROM agents WHERE suspension_case = $1)) AS by`,
    [caseId],
  )
  return row?.by ?? null
}
