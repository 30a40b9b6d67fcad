import { type CloudEvent, cloudEvent } from '@stoa/shared/bus/events.js'
import { StreamRefusal } from '@stoa/shared/bus/stream-refusal.js'
import type { PayloadOf } from '@stoa/shared/contracts/contract.js'
import {
  CASES_TOGETHER_MAX,
  type CaseVerdict,
  getSubmissions,
  scanCompleted,
  type scanRequested,
  type WantedCase,
} from '@stoa/shared/contracts/scans.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { uuidV7 } from '@stoa/shared/identifiers/ids.js'
import type { ScannerDeps } from '../deps.ts'
import { judge } from '../judge.ts'

/** Far below the `max_payload` of the bus; no single verdict comes near this size. */
const MESSAGE_BYTES_MAX = 512 * 1024

/**
 * Fetches the texts of a batch, scans them and publishes the verdicts. Content returns no text for
 * a case that no longer waits, and that case needs no verdict. A second scan gives the same
 * verdict, and content takes the first. Throws `unavailable`, so that the bus redelivers the
 * events, if no worker takes the texts or the stream has no room for the verdicts.
 */
export async function onScanRequested(
  deps: ScannerDeps,
  events: CloudEvent<PayloadOf<typeof scanRequested>>[],
): Promise<void> {
  const byId = new Map(events.flatMap(({ data }) => data.cases).map((one) => [one.case_id, one]))
  const cases = [...byId.values()]
  const groups: WantedCase[][] = []
  while (cases.length > 0) groups.push(cases.splice(0, CASES_TOGETHER_MAX))
  await Promise.all(groups.map((group) => scanTogether(deps, group)))
}

async function scanTogether(deps: ScannerDeps, cases: WantedCase[]): Promise<void> {
  const meta = { requestId: uuidV7(), remainingMs: getSubmissions.timeoutMs }
  const caseIds = cases.map((one) => one.case_id)
  const { items } = await deps.bus.request(getSubmissions, { case_ids: caseIds }, meta)
  const verdicts = await Promise.all(items.map((item) => judge(deps.scan, item)))
  await Promise.all(inMessages(verdicts).map((some) => tell(deps, some)))
}

async function tell({ bus }: ScannerDeps, verdicts: CaseVerdict[]): Promise<void> {
  const event = cloudEvent(scanCompleted, 'scanner', verdicts[0]?.case_id ?? '', { verdicts })
  try {
    await bus.publish(scanCompleted.subject, JSON.stringify(event), event.id)
  } catch (error) {
    const isFull = error instanceof StreamRefusal && error.isFull
    throw isFull ? new AppError('unavailable', {}, { cause: error }) : error
  }
}

/** Splits verdicts into messages, because the bus limits messages and many findings are long. */
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
