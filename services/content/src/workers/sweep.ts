import type { ContentDeps } from '../deps.ts'
import { endLapsedClaims } from '../tables/alert-claims.ts'
import { appendEvents } from '../tables/outbox.ts'
import { type ScanWanted, scanRequests } from '../tables/scan-requests.ts'
import { clean } from './clean.ts'
import { startLoop, type Worker } from './loop.ts'
import { startPurges } from './purges.ts'
import { oldestWaiting } from './waiting-requests.ts'
import { startWithdrawals } from './withdrawals.ts'

const RESCAN_MAX = 200
/** From the transaction that stores a text to the stream, by way of the outbox. */
const ON_ITS_WAY_MS = 10_000
const CLEAN_EVERY_MS = 60_000
/** Others wait for the database meanwhile; what is left is for the next turn. */
const CLEAN_TURN_MS = 500
const CLAIMS_MAX = 200

/**
 * Looks after what has been left lying: asks again for scans that never came back, goes on taking down
 * what deleted agents wrote and withdrawing votes, opens alerts whose claims have lapsed, and drops what
 * is past its time. Each is a loop of its own, so that one that fails keeps none of the others. Replicas
 * may run them side by side.
 */
export function startSweep(deps: ContentDeps, rescanAfterMs: number): Pick<Worker, 'close'> {
  const restMs = Math.max(50, rescanAfterMs / 3)
  const workers = [
    startLoop('rescan', restMs, deps.log, async () => {
      return (await askAgain(deps, rescanAfterMs)) === RESCAN_MAX ? 'again' : 'rest'
    }),
    startPurges(deps, restMs),
    startWithdrawals(deps, restMs),
    startLoop('end-claims', restMs, deps.log, async () => {
      const ended = await deps.db.transaction((tx) => endLapsedClaims(tx, CLAIMS_MAX))
      return ended === CLAIMS_MAX ? 'again' : 'rest'
    }),
    startLoop('clean', restMs, deps.log, async () => {
      const isClean = await clean(deps.db, performance.now() + CLEAN_TURN_MS)
      return isClean ? CLEAN_EVERY_MS : 'rest'
    }),
  ]
  return {
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}

/**
 * Asks again for what scanners were given and did not answer, ever more rarely, up to every 20
 * waits. What they were not given yet waits in the stream, and would only fill it. What was asked for at a
 * time that is yet to come, since the clock was set back, is asked for once more at once.
 */
async function askAgain(deps: ContentDeps, rescanAfterMs: number): Promise<number> {
  const waiting = await oldestWaiting(deps.bus).catch(() => undefined)
  // Nobody could be asked.
  if (waiting === undefined) return 0
  const before = waiting && new Date(waiting.getTime() - ON_ITS_WAY_MS)
  return deps.db.transaction(async (tx) => {
    const overdue = await tx.rows<ScanWanted>(
      'overdue-scans',
      `UPDATE submissions SET requested_at = now(), requests = requests + 1
       WHERE id IN (
         SELECT id FROM submissions
         WHERE visibility = 'pending' AND verdict IS NULL
           AND (requested_at > now() + $1 * interval '1 millisecond'
             OR requested_at < now() - $1 * interval '1 millisecond' * least(requests, 20)
               AND requested_at < coalesce($3::timestamptz, 'infinity'))
         ORDER BY requested_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id, kind, revision`,
      [rescanAfterMs, RESCAN_MAX, before],
    )
    // Each by itself: one that brings the scanner down must not keep others from their verdicts.
    appendEvents(tx, scanRequests(overdue, 1))
    if (overdue.length > 0) tx.afterCommit(() => deps.notices.wakeRelay())
    return overdue.length
  })
}
