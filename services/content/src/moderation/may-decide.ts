import { AppError } from '@stoa/shared/errors/errors.js'
import type { Query } from '../transaction.ts'

interface Matter {
  /** Handle of whoever wrote what the alert is about, or appeals; null where nobody did. */
  author: string | null
  /** The case whose decision is appealed, where that is decided along. */
  appealed: string | null
}

/**
 * Nobody decides about what is their own, nor about an appeal of what they have decided. Throws
 * `own_decision`.
 */
export async function requireImpartial(
  query: Query,
  { author, appealed }: Matter,
  handle: string,
): Promise<void> {
  requireOtherModerator(author, handle)
  if (appealed) requireOtherModerator(await deciderOf(query, appealed), handle)
}

/** A decision is not reviewed by the one who made it. Throws `own_decision`. */
export function requireOtherModerator(decidedBy: string | null, moderator: string): void {
  if (decidedBy === moderator) throw new AppError('own_decision')
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
