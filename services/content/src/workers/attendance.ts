import { type Logger, onceIn } from '@stoa/shared/process/logger.js'
import type { Gauge } from '@stoa/shared/process/metrics.js'
import type { Database } from '../database.ts'
import { startLoop, type Worker } from './loop.ts'

const LOOK_EVERY_MS = 1_000
const LOOK_AGAIN_MS = 250
const WARN_EVERY_MS = 10_000

/** Work that several replicas divide among themselves. */
interface Share {
  standAside(): void
  takePart(): void
}

export interface Attendance extends Pick<Worker, 'close'> {
  gauges(): Gauge[]
}

/**
 * Lets this replica take requests and events only while it reaches the database. Another replica
 * may reach it when this one does not; if none does, no request is taken, and callers know at once.
 */
export function startAttendance(db: Database, shares: Share[], log: Logger): Attendance {
  let takesPart = true
  const mayWarn = onceIn(WARN_EVERY_MS)
  const look = async () => {
    let reason: unknown
    // A single failed ping may be the fault of one connection.
    const isReached = await db.ping().then(
      (state) => {
        if (state === 'busy' && mayWarn()) void sayBusy(db, log)
        return true
      },
      (error: unknown) => {
        reason = error
        return db.answers()
      },
    )
    if (isReached !== takesPart) {
      takesPart = isReached
      for (const share of shares) {
        if (isReached) share.takePart()
        else share.standAside()
      }
      if (isReached) log.info('the database is back: requests are taken again')
      else log.warn({ err: reason }, 'the database is away: requests are left to other replicas')
    }
    return isReached ? 'rest' : LOOK_AGAIN_MS
  }
  const loop = startLoop('attendance', LOOK_EVERY_MS, log, look)
  return {
    close: loop.close,
    gauges: () => [
      {
        name: 'stoa_database_reached',
        help: 'Whether this replica reaches the database; one that does not takes no requests.',
        value: takesPart ? 1 : 0,
      },
    ],
  }
}

/** Logs which tables are locked and by whom, because nobody can find that out afterwards. */
async function sayBusy(db: Pick<Database, 'tableLocks' | 'waiting'>, log: Logger): Promise<void> {
  const waiting = db.waiting()
  const locks = await db.tableLocks().catch(() => undefined)
  log.warn({ waiting, locks }, 'the database is busy')
}
