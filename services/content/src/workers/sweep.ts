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
/** How long a request may take from its transaction, by way of the outbox, to the stream. */
const ON_ITS_WAY_MS = 10_000
const CLEAN_EVERY_MS = 60_000
/** Others wait for the database during this time; the next turn deletes the rest. */
const CLEAN_TURN_MS = 500
const CLAIMS_MAX = 200

/**
 * Picks up unfinished work: repeats requests for scans that never came back, goes on taking down
 * what deleted agents wrote and withdrawing votes, reopens alerts whose claims have lapsed, and
 * deletes expired rows. Each is a loop of its own, so that one that fails stops none of the others.
 * Replicas may run them side by side.
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
 * Repeats requests that scanners got and did not answer, ever more rarely, up to every 20 waits.
 * Requests that no scanner got yet still wait in the stream, which repeats would only fill. A
 * request whose time lies in the future, because the clock was set back, is repeated at once.
 */
async function askAgain(deps: ContentDeps, rescanAfterMs: number): Promise<number> {
  const waiting = await oldestWaiting(deps.bus).catch(() => undefined)
  // The bus is away, or there has never been a scanner.
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
    // One case per request: a text that crashes the scanner must not keep other texts from their
    // verdicts.
    appendEvents(tx, scanRequests(overdue, 1))
    if (overdue.length > 0) tx.afterCommit(() => deps.notices.wakeRelay())
    return overdue.length
  })
}
