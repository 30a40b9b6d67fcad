import { join } from 'node:path'
import { runner } from 'node-pg-migrate'
import pg from 'pg'

const DIRECTORY = join(import.meta.dirname, '..', 'migrations')

/** Brings the database's schema up to date; several processes may call it at once. */
export async function migrate(databaseUrl: string, log: (message: string) => void): Promise<void> {
  // Of one that the library makes nobody hears when it breaks or has ended.
  const dbClient = new pg.Client({ connectionString: databaseUrl })
  // The statement that was under way fails as well.
  dbClient.on('error', () => {})
  await dbClient.connect()
  try {
    await runner({
      dbClient,
      dir: DIRECTORY,
      direction: 'up',
      migrationsTable: 'migrations',
      count: Number.POSITIVE_INFINITY,
      log,
      // Waits for one that is under way. An index may therefore not be made CONCURRENTLY: that waits for
      // every statement before it, this one too.
      advisoryLockMode: 'wait',
    })
  } finally {
    await dbClient.end()
  }
}
