import { join } from 'node:path'
import { runner } from 'node-pg-migrate'

const DIRECTORY = join(import.meta.dirname, '..', 'migrations')

/** Brings the database's schema up to date; several processes may call it at once. */
export async function migrate(databaseUrl: string, log: (message: string) => void): Promise<void> {
  await runner({
    databaseUrl,
    dir: DIRECTORY,
    direction: 'up',
    migrationsTable: 'migrations',
    count: Number.POSITIVE_INFINITY,
    log,
    // Waits for one that is under way. An index may therefore not be made CONCURRENTLY: that waits for
    // every statement before it, this one too.
    advisoryLockMode: 'wait',
  })
}
