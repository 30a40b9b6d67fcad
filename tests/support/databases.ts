import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Stops } from './all-or-nothing.ts'
import { eventuallyPasses } from './eventually.ts'

/** Creates an empty database on the server of the tests and returns its address. */
export async function createDatabase(): Promise<string> {
  const name = `stoa_${randomUUID().replaceAll('-', '')}`
  await asAdmin(`CREATE DATABASE ${name}`)
  const url = new URL(adminUrl())
  url.pathname = `/${name}`
  return url.href
}

/** Creates a database with the tables of a forum, which `stops` drops. */
export async function createMigrated(
  migrate: (url: string) => Promise<unknown>,
  stops: Stops,
): Promise<string> {
  const url = await createDatabase()
  stops.add(() => dropDatabase(url))
  await migrate(url)
  return url
}

/**
 * Tries again: PostgreSQL waits only five seconds for sessions to end, and a session may get no
 * processor time within these.
 */
export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await eventuallyPasses(() => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
}

function adminUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run npm test')
  return url
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
