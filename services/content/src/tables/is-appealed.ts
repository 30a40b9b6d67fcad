/**
 * SQL: whether what was decided about the case at that time has been appealed, or was said of an
 * appeal itself. A suspension has no such time: it has a case of its own, and is decided once.
 */
export function isAppealed(caseId: string, decidedAt: string): string {
  return `EXISTS (SELECT 1 FROM appeals p
    WHERE p.case_id = ${caseId} AND (p.decided_at < ${decidedAt}) IS NOT TRUE)`
}
