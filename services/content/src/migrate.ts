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
    noLock: false,
    advisoryLockMaxWait: 30_000,
  } as Parameters<typeof runner>[0])
}
