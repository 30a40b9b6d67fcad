import type { CloudEvent } from '@stoa/shared/bus/events.js'
import { SUBMISSION_DECIDED } from '@stoa/shared/contracts/events.js'
import type { ScanCompleted, Verdict } from '@stoa/shared/contracts/scans.js'
import type { ContentDeps } from '../deps.ts'
import { type Decision, decide } from '../verdicts/decide.ts'

const OUTCOMES: Record<Verdict, Decision['outcome']> = {
  allow: 'publish',
  flag: 'publish',
  quarantine: 'quarantine',
  block: 'reject',
}

/** Applies a batch of verdicts in one transaction, then wakes the writes that wait for them. */
export async function onScanCompleted(
  deps: ContentDeps,
  events: CloudEvent<ScanCompleted>[],
): Promise<void> {
  const decisions = events.map(
    ({ data }): Decision => ({
      ...data,
      outcome: OUTCOMES[data.verdict],
      by: 'scanner',
    }),
  )
  const endings = await deps.db.transaction((tx) => decide(tx, deps, decisions))
  // One that is held counts as well: waiting longer would not change what its writer is told.
  if (endings.size > 0) deps.bus.tell(SUBMISSION_DECIDED, { case_ids: [...endings.keys()] })
}
