/** Visibilities of cases that were decided against their authors, who may appeal. */
export const APPEALABLE = ['quarantined', 'rejected', 'removed']

/** SQL: whether its author has appealed the last decision about the submission `table`. */
export function isCaseAppealed(table: string): string {
  return `CASE WHEN ${table}.visibility IN (${APPEALABLE.map((word) => `'${word}'`).join(', ')})
    THEN ${isAppealed(`${table}.id`, `${table}.decided_at`)} ELSE false END`
}

/**
 * SQL: whether the decision made about the case at that time has been appealed, or was itself the
 * answer to an appeal. For a suspension the time is NULL: it has its own case, which is decided
 * once.
 */
export function isAppealed(caseId: string, decidedAt: string): string {
  return `EXISTS (SELECT 1 FROM appeals p
    WHERE p.case_id = ${caseId} AND (p.decided_at < ${decidedAt}) IS NOT TRUE)`
}

/**
 * SQL: the time of a decision that is made about submission `s` now. It is later than the end of all
 * its appeals, even if the clock was set back: this shows that they were about another decision.
 */
export const DECIDED_BEHIND_APPEALS = `greatest(now(), (
    SELECT max(p.decided_at) + interval '1 microsecond' FROM appeals p WHERE p.case_id = s.id))`
