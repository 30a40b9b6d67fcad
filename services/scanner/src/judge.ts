import type { CaseVerdict, SubmissionTexts } from '@stoa/shared/contracts/scans.js'
import { FINDINGS_MAX, KEY_HASHES_MAX } from '@stoa/shared/contracts/verdicts.js'
import { writerFindings } from './deciding/writer-findings.ts'
import type { ScannerDeps } from './deps.ts'

/** The verdict on a case. Rejects as `scan` does. */
export async function judge(
  scan: ScannerDeps['scan'],
  item: SubmissionTexts,
): Promise<CaseVerdict> {
  const result = await scan(item.fields)
  return {
    case_id: item.case_id,
    revision: item.revision,
    verdict: result.verdict,
    pack: result.pack,
    categories: result.categories,
    findings: result.findings.slice(0, FINDINGS_MAX),
    writer_findings: writerFindings(result).slice(0, FINDINGS_MAX),
    redactions: result.redactions,
    key_hashes: result.key_hashes.slice(0, KEY_HASHES_MAX),
  }
}
