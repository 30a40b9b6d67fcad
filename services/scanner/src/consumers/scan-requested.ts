import { type CloudEvent, cloudEvent } from '@stoa/shared/bus/events.js'
import type { PayloadOf } from '@stoa/shared/contract.js'
import {
  CASES_TOGETHER_MAX,
  type CaseVerdict,
  getSubmissions,
  type SubmissionTexts,
  scanCompleted,
  type scanRequested,
} from '@stoa/shared/contracts/scans.js'
import { uuidV7 } from '@stoa/shared/ids.js'
import type { ScannerDeps } from '../deps.ts'
import { writerFindings } from '../scan.ts'

const FINDINGS_MAX = 50
/** Half of what the bus takes; no single verdict comes near it. */
const MESSAGE_BYTES_MAX = 512 * 1024
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
  const cases = events.flatMap(({ data }) => data.cases)
  const caseIds = [...new Set(cases.map(({ case_id }) => case_id))]
  const groups: string[][] = []
  while (caseIds.length > 0) groups.push(caseIds.splice(0, CASES_TOGETHER_MAX))
  await Promise.all(groups.map((group) => scanTogether(deps, group)))
}

async function scanTogether(deps: ScannerDeps, caseIds: string[]): Promise<void> {
  const meta = { requestId: uuidV7(), remainingMs: getSubmissions.timeoutMs }
  const { items } = await deps.bus.request(getSubmissions, { case_ids: caseIds }, meta)
  const verdicts = await Promise.all(items.map((item) => judge(deps, item)))
  await Promise.all(
    inMessages(verdicts).map((some) => {
      const event = cloudEvent(scanCompleted, 'scanner', some[0]?.case_id ?? '', { verdicts: some })
      return deps.bus.publish(scanCompleted.subject, JSON.stringify(event), event.id)
    }),
  )
}

/** Verdicts with many findings are long, and a message of the bus has a limit. */
export function inMessages(verdicts: CaseVerdict[]): CaseVerdict[][] {
  const messages: CaseVerdict[][] = []
  let bytes = MESSAGE_BYTES_MAX
  for (const verdict of verdicts) {
    const size = Buffer.byteLength(JSON.stringify(verdict))
    if (bytes + size > MESSAGE_BYTES_MAX) {
      messages.push([])
      bytes = 0
    }
    messages.at(-1)?.push(verdict)
    bytes += size
  }
  return messages
}

async function judge(deps: ScannerDeps, item: SubmissionTexts): Promise<CaseVerdict> {
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
