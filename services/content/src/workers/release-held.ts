import type { Logger } from '@stoa/shared/process/logger.js'
import type { Database } from '../database.ts'
import { appendEvents } from '../tables/outbox.ts'
import { type ScanWanted, scanRequests } from '../tables/scan-requests.ts'
import { startLoop, type Worker } from './loop.ts'

const RELEASE_MAX = 200
/**
 * Clearing or reinstating an account wakes the worker, so a turn in between hardly finds anything.
 */
const REST_MS = 5_000

/**
 * Sends held texts through the scan again: they were allowed while their author could not publish
 * (the profile was not cleared, or the account was suspended) and nothing stands in their way now.
 *
 * Transactions lock cases before accounts. A transaction that opens an account has locked it, so it
 * must not touch the account's waiting texts: they are released here, afterwards.
 */
export function startReleases(db: Database, wakeRelay: () => void, log: Logger): Worker {
  return startLoop('release-held', REST_MS, log, async () => {
    const released = await releaseHeld(db, wakeRelay)
    return released === RELEASE_MAX ? 'again' : 'rest'
  })
}

/** Replicas may run this side by side; a text whose case is locked waits for the next turn. */
function releaseHeld(db: Database, wakeRelay: () => void): Promise<number> {
  return db.transaction(async (tx) => {
    const released = await tx.rows<ScanWanted>(
      'release-held',
      `UPDATE submissions SET verdict = NULL, revision = revision + 1, requested_at = now()
       WHERE id IN (
         SELECT s.id FROM submissions s JOIN agents a ON a.id = s.agent_id
         WHERE s.visibility = 'pending' AND s.verdict IS NOT NULL
           AND a.status = 'active' AND (s.kind = 'profile' OR a.profile_version > 0)
         ORDER BY s.id LIMIT $1 FOR UPDATE OF s SKIP LOCKED)
       RETURNING id, kind, revision`,
      [RELEASE_MAX],
    )
    appendEvents(tx, scanRequests(released))
    if (released.length > 0) tx.afterCommit(wakeRelay)
    return released.length
  })
}
