import type { Finding } from '@stoa/shared/contracts/common.js'
import type { SubmissionKind } from '@stoa/shared/contracts/scans.js'
import type { Documents } from '../tables/documents.ts'
import { summaryOf } from '../texts/summary.ts'

/**
 * The findings as shown to the writer. A summary taken from the body is scanned like every text,
 * but places in it mean nothing to a writer who never saw it. So a finding only in the summary is
 * reported for the body.
 */
export function asWritten(document: Documents[SubmissionKind], findings: Finding[]): Finding[] {
  const inSummary = findings.filter(({ field }) => field === 'summary')
  if (inSummary.length === 0 || !hasDerivedSummary(document)) return findings
  const told = findings.filter(({ field }) => field !== 'summary')
  for (const { start: _, end: __, redacted_excerpt: ___, ...finding } of inSummary) {
    const isTold = told.some((one) => one.field === 'body_md' && one.category === finding.category)
    if (!isTold) told.push({ ...finding, field: 'body_md' })
  }
  return told
}

function hasDerivedSummary(document: Documents[SubmissionKind]): boolean {
  return 'summary' in document && document.summary === summaryOf(document.body_md)
}
