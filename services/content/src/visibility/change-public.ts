import { announce, type Notices } from '../notices.ts'
import { type ChangeEntry, publish } from '../publication.ts'
import type { Effects } from '../tables/effects.ts'
import type { Transaction } from '../transaction.ts'

/**
 * Writes a change of public things that needs no scan: rows, counters, events and change log
 * travel together with COMMIT. The caller has locked the counters of every post concerned.
 */
export async function changePublic(
  tx: Transaction,
  deps: { notices: Notices },
  effects: Effects,
  changes: ChangeEntry[],
): Promise<void> {
  await publish(tx, deps.notices, { ticks: 0, changes: changes.length }, (publication) => {
    for (const entry of changes) publication.change(entry)
    effects.flush(tx)
  })
  announce(tx, deps.notices, effects.tags)
}
