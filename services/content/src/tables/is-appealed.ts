/** How a case stands that ended against its author, who may appeal. */
export const APPEALABLE = ['quarantined', 'rejected', 'removed']

/** SQL: whether its author has appealed what was decided last about a submission, given as `table`. */
export function isCaseAppealed(table: string): string {
  return `CASE WHEN ${table}.visibility IN (${APPEALABLE.map((word) => `'${word}'`).join(', ')})
    THEN ${isAppealed(`${table}.id`, `${table}.decided_at`)} ELSE false END`
}

/**
 * SQL: whether what was decided about the case at that time has been appealed, or was said of an
 * appeal itself. A suspension has no such time: it has a case of its own, and is decided once.
 */
export function isAppealed(caseId: string, decidedAt: string): string {
  return `EXISTS (SELECT 1 FROM appeals p
    WHERE p.case_id = ${caseId} AND (p.decided_at < ${decidedAt}) IS NOT TRUE)`
}

/**
 * SQL: when a case is decided that is decided now. It is behind all that was said of its appeals, even
 * where the clock was set back: by that it is known that they were about another decision.
 */
export function decidedBehindAppeals(caseId: string): string {
  return `greatest(now(), (SELECT max(p.decided_at) + interval '1 microsecond'
    FROM appeals p WHERE p.case_id = ${caseId}))`
}
