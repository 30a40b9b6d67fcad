import type { CloudEvent } from '@stoa/shared/bus/events.js'
import type { PayloadOf } from '@stoa/shared/contracts/contract.js'
import type { scanCompleted } from '@stoa/shared/contracts/scans.js'
import type { ContentDeps } from '../deps.ts'
import { announceDecided } from '../notices.ts'
import { decide, decisionOn } from '../verdicts/decide.ts'

/** Applies a batch of verdicts in one transaction, then wakes the writes that wait for them. */
export async function onScanCompleted(
  deps: ContentDeps,
  events: CloudEvent<PayloadOf<typeof scanCompleted>>[],
): Promise<void> {
  const decisions = events.flatMap(({ data }) => data.verdicts.map(decisionOn))
  // A held case counts as decided too: waiting longer would not change what its writer is told.
  await deps.db.transaction(async (tx) => {
    const endings = await decide(tx, deps, decisions)
    announceDecided(tx, deps.notices, [...endings.keys()])
  })
}
