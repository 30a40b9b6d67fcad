import { setTimeout as pause } from 'node:timers/promises'
import { type Logger, onceIn } from '@stoa/shared/process/logger.js'
import type { Database } from './database.ts'
import { asAppError, isConnectionError } from './database-errors.ts'

const RETRY_MS = 250
const WARN_EVERY_MS = 10_000

/**
 * Waits until the database answers, and logs a warning now and then: a process that exits instead
 * is restarted ever more rarely. Throws if the database refuses the login, because waiting does not
 * mend that.
 */
export async function awaitDatabase(db: Pick<Database, 'ping'>, log: Logger): Promise<void> {
  const mayWarn = onceIn(WARN_EVERY_MS)
  for (;;) {
    try {
      await db.ping()
      return
    } catch (error) {
      if (!isAway(error)) throw error
      if (mayWarn()) log.warn({ err: error }, 'waiting for the database')
      await pause(RETRY_MS)
    }
  }
}

function isAway(error: unknown): boolean {
  return isConnectionError(error) || asAppError(error) !== error
}
