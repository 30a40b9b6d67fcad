import { CASES_TOGETHER_MAX, scanRequested, type WantedCase } from '@stoa/shared/contracts/scans.js'
import { piecesOf } from '@stoa/shared/process/pieces.js'
import { type OutboxEvent, outboxEvent } from './outbox.ts'

/** A submission that waits for a scan of this revision. */
export interface ScanWanted extends Omit<WantedCase, 'case_id'> {
  id: string
}

/** Asks for the scans of these cases, `together` of them in one event. */
export function scanRequests(
  wanted: readonly ScanWanted[],
  together = CASES_TOGETHER_MAX,
): OutboxEvent[] {
  const cases = wanted.map(({ id, kind, revision }) => ({ case_id: id, kind, revision }))
  return piecesOf(cases, together).map((some) =>
    outboxEvent(scanRequested, some[0]?.case_id ?? '', { cases: some }),
  )
}
