import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { PG_MIGRATE_LOCK_ID } from 'node-pg-migrate'
import pg from 'pg'
import { createDatabase, dropDatabase } from '../../../tests/support/databases.ts'
import { eventually } from '../../../tests/support/eventually.ts'
import { migrate } from './migrate.ts'
import { somebodyWaitsFor } from './testing/table-locks.ts'

let url: string
let held: string

beforeAll(async () => {
  url = await createDatabase()
  held = await createDatabase()
})

afterAll(async () => {
  await dropDatabase(url)
  await dropDatabase(held)
})

it('concurrent calls of migrate apply each migration once', async () => {
  await Promise.all([1, 2, 3].map(() => migrate(url)))

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SELECT name FROM migrations ORDER BY name')
  await client.end()
  const migrations = readdirSync(join(import.meta.dirname, '..', 'migrations')).sort()
  expect(rows.map(({ name }) => `${name}.sql`)).toEqual(migrations)
})

/** A folder of migrations that grows. */
function makeDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'stoa-migrations-'))
  const add = (file: string, statement: string) =>
    writeFileSync(join(directory, file), `-- Up Migration\n${statement};\n-- Down Migration\n`)
  return { directory, add }
}

/** A forum's database as it was before the given migration, and how to go on from there. */
async function databaseBefore(migration: string) {
  const migrations = join(import.meta.dirname, '..', 'migrations')
  const directory = mkdtempSync(join(tmpdir(), 'stoa-migrations-'))
  for (const file of readdirSync(migrations)) {
    if (file < migration) cpSync(join(migrations, file), join(directory, file))
  }
  const database = await createDatabase()
  await migrate(database, { directory })
  rmSync(directory, { recursive: true })
  return database
}

it('a migration blocks nobody from a table while a backup holds it, and goes on when the backup is done', async () => {
  const { directory, add } = makeDirectory()
  add('0001_first.sql', 'CREATE TABLE held (n int)')
  const forum = new pg.Client({ connectionString: held })
  const backup = new pg.Client({ connectionString: held })
  await migrate(held, { directory })
  add('0002_second.sql', 'ALTER TABLE held ADD COLUMN m int')
  await Promise.all([forum.connect(), backup.connect()])
  await backup.query('BEGIN')
  await backup.query('LOCK TABLE held IN ACCESS SHARE MODE')

  let waits = 0
  const migrating = migrate(held, { directory, onWait: () => waits++ })
  await somebodyWaitsFor('held', backup)
  // The lock timeout of content.
  await forum.query(`SET lock_timeout = '5s'`)
  expect((await forum.query('SELECT n FROM held')).rows).toEqual([])
  await eventually('it has stepped back', async () => waits === 1)
  await backup.query('COMMIT')
  await migrating

  expect((await forum.query('SELECT n, m FROM held')).rows).toEqual([])
  await Promise.all([forum.end(), backup.end()])
  rmSync(directory, { recursive: true })
})

it('a migration rejects with the error if its connection breaks', async () => {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('SELECT pg_advisory_lock($1)', [PG_MIGRATE_LOCK_ID])

  const migrating = migrate(url).catch((error: unknown) => error)
  await eventually('it is cut off', async () => {
    const { rowCount } = await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event = 'advisory'`,
    )
    return rowCount === 1
  })

  expect(await migrating).toMatchObject({ code: '57P01' })
  await other.end()
})

it('a migration is tried again if it and the forum deadlock', async () => {
  const { directory, add } = makeDirectory()
  const another = await createDatabase()
  const forum = new pg.Client({ connectionString: another })
  add('0001_first.sql', 'CREATE TABLE one (n int); CREATE TABLE other (n int)')
  await migrate(another, { directory })
  add('0002_second.sql', 'LOCK TABLE one; LOCK TABLE other; ALTER TABLE one ADD COLUMN m int')
  await forum.connect()
  // The migration is the one that notices the deadlock.
  await forum.query(`SET deadlock_timeout = '30s'`)
  await forum.query('BEGIN')
  await forum.query('LOCK TABLE other')

  let waits = 0
  const migrating = migrate(another, { directory, onWait: () => waits++ })
  await somebodyWaitsFor('other', forum)
  await forum.query('LOCK TABLE one')
  await forum.query('COMMIT')
  await migrating

  expect(waits).toBe(1)
  expect((await forum.query('SELECT n, m FROM one')).rows).toEqual([])
  await forum.end()
  await dropDatabase(another)
  rmSync(directory, { recursive: true })
})

it('the database completes the tags that the previous release writes, by the end of its transaction', async () => {
  const forum = new pg.Client({ connectionString: url })
  await forum.connect()
  await forum.query('BEGIN')
  await forum.query(
    `WITH tagged AS (
       INSERT INTO post_tags (tag, created_at, post_id) VALUES ('old', now(), 'pst_old'))
     INSERT INTO posts (id, agent_id, community_slug, title, kind, summary, body_md, tags, sources,
       data, link_url, mentions, case_id, created_at, updated_at)
     VALUES ('pst_old', 'agt_old', 'general', 'Old', 'claim', '', '', '{old}', '{}', '{}', '', '{}',
       'cas_old', now(), now())`,
  )
  await forum.query('COMMIT')
  const tags = async () =>
    (await forum.query('SELECT tag, community_slug, kind FROM post_tags')).rows

  expect(await tags()).toEqual([{ tag: 'old', community_slug: 'general', kind: 'claim' }])

  // Edits the post.
  await forum.query('BEGIN')
  await forum.query(`DELETE FROM post_tags WHERE post_id = 'pst_old'`)
  await forum.query(
    `INSERT INTO post_tags (tag, created_at, post_id)
     SELECT 'older', created_at, id FROM posts WHERE id = 'pst_old'`,
  )
  await forum.query(`UPDATE posts SET kind = 'result', tags = '{older}' WHERE id = 'pst_old'`)
  await forum.query('COMMIT')

  expect(await tags()).toEqual([{ tag: 'older', community_slug: 'general', kind: 'result' }])
  await forum.end()
})

it('the alerts of earlier releases are found by their rules and categories, each once', async () => {
  const before = await databaseBefore('0039')
  const forum = new pg.Client({ connectionString: before })
  await forum.connect()
  await forum.query(
    `INSERT INTO alerts (id, severity, source, target_type, target_id, categories, findings, created_at)
     VALUES
       ('alt_1', 'high', 'scanner', 'post', 'pst_1', '{secret,injection}',
         '[{"rule":"key"},{"rule":"order"},{"rule":"key"}]', '2026-01-02T00:00:00Z'),
       ('alt_2', 'low', 'flags', 'post', 'pst_2', '{spam}', '[]', '2026-01-03T00:00:00Z')`,
  )

  await migrate(before)

  const { rows } = await forum.query('SELECT * FROM alert_marks ORDER BY created_at, mark')
  const first = { created_at: Date.parse('2026-01-02'), id: 'alt_1' }
  const second = { created_at: Date.parse('2026-01-03'), id: 'alt_2' }
  expect(rows.map((row) => ({ ...row, created_at: Number(row.created_at) }))).toEqual([
    { mark: 'injection', ...first },
    { mark: 'key', ...first },
    { mark: 'order', ...first },
    { mark: 'secret', ...first },
    { mark: 'spam', ...second },
  ])
  await forum.end()
  await dropDatabase(before)
})
