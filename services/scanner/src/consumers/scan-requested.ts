import { type CloudEvent, cloudEvent } from '@stoa/shared/bus/events.js'
import type { PayloadOf } from '@stoa/shared/contract.js'
import {
  getSubmissions,
  type ScanCompleted,
  type SubmissionTexts,
  scanCompleted,
  type scanRequested,
} from '@stoa/shared/contracts/scans.js'
import { uuidV7 } from '@stoa/shared/ids.js'
import type { ScannerDeps } from '../deps.ts'
import { writerFindings } from '../scan.ts'

const FINDINGS_MAX = 50
const REDACTIONS_MAX = 200

/**
 * Fetches the texts of a batch, scans each and publishes the verdicts. A case that is no longer
 * waiting has no text and needs none. Scanning twice gives the same verdict, and content takes the
 * first.
 */
export async function onScanRequested(
  deps: ScannerDeps,
  events: CloudEvent<PayloadOf<typeof scanRequested>>[],
): Promise<void> {
  const caseIds = [...new Set(events.map(({ data }) => data.case_id))]
  const meta = { requestId: uuidV7(), remainingMs: getSubmissions.timeoutMs }
  const { items } = await deps.bus.request(getSubmissions, { case_ids: caseIds }, meta)
  const verdicts = await Promise.all(items.map((item) => judge(deps, item)))
  await Promise.all(
    verdicts.map((verdict) => {
      const event = cloudEvent(scanCompleted, 'scanner', verdict.case_id, verdict)
      return deps.bus.publish(scanCompleted.subject, JSON.stringify(event), event.id)
    }),
  )
}

async function judge(deps: ScannerDeps, item: SubmissionTexts): Promise<ScanCompleted> {
  const result = await deps.scan({ kind: item.kind, fields: item.fields })
  return {
    case_id: item.case_id,
    revision: item.revision,
    verdict: result.verdict,
    pack: result.pack,
    categories: result.categories,
    findings: result.findings.slice(0, FINDINGS_MAX),
    writer_findings: writerFindings(result).slice(0, FINDINGS_MAX),
    redactions: result.redactions.slice(0, REDACTIONS_MAX),
    key_hashes: result.key_hashes.slice(0, FINDINGS_MAX),
  }
}
