import { setTimeout as pause } from 'node:timers/promises'
import { type Logger, onceIn } from '@stoa/shared/process/logger.js'
import type { Database } from './database.ts'
import { asAppError, isConnectionError } from './database-errors.ts'

const RETRY_MS = 250
const WARN_EVERY_MS = 10_000

/**
 * Waits for as long as the database does not answer, which it says in the log now and then: who ends
 * instead is started again ever more rarely. Throws where it refuses the login: waiting does not mend
 * that.
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
