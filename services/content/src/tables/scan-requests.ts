import { CASES_TOGETHER_MAX, scanRequested, type WantedCase } from '@stoa/shared/contracts/scans.js'
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
  const events: OutboxEvent[] = []
  for (let from = 0; from < cases.length; from += together) {
    const some = cases.slice(from, from + together)
    events.push(outboxEvent(scanRequested, some[0]?.case_id ?? '', { cases: some }))
  }
  return events
}
