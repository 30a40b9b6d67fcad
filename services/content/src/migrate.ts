import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { isHeld } from './database-errors.ts'

const DIRECTORY = join(import.meta.dirname, '..', 'migrations')
const CONNECT_TIMEOUT_MS = 10_000
/**
 * Readers and writers of a table queue after a migration that waits for its lock, and a backup
 * locks all tables for as long as it takes. So a migration gives up soon and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000
const RETRY_MS = 3_000
const WAIT_MAX_MS = 300_000

interface Options {
  directory?: string
  /** Called each time another session holds what a migration needs. */
  onWait?: () => void
}

/** Brings the database's schema up to date; several processes may call it at once. */
export async function migrate(
  databaseUrl: string,
  { directory = DIRECTORY, onWait = () => {} }: Options = {},
): Promise<void> {
  const until = performance.now() + WAIT_MAX_MS
  for (;;) {
    try {
      return await migrateOnce(databaseUrl, directory)
    } catch (error) {
      if (!isHeld(error) || performance.now() > until) throw error
      onWait()
      await pause(RETRY_MS)
    }
  }
}

async function migrateOnce(connectionString: string, dir: string): Promise<void> {
  // If the library made the client, nobody would hear when it breaks or has ended.
  const dbClient = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    options: `-c lock_timeout=${LOCK_TIMEOUT_MS}`,
  })
  // The statement under way fails as well.
  dbClient.on('error', () => {})
  await dbClient.connect()
  try {
    await runner({
      dbClient,
      dir,
      direction: 'up',
      migrationsTable: 'migrations',
      count: Number.POSITIVE_INFINITY,
      log: () => {},
      // Waits for a migration under way. So a migration must not create an index CONCURRENTLY: that
      // waits for every earlier statement, including the one that waits here.
      advisoryLockMode: 'wait',
    })
  } finally {
    await dbClient.end()
  }
}
