import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { PG_MIGRATE_LOCK_ID } from 'node-pg-migrate'
import pg from 'pg'
import { migrate } from './migrate.ts'
import { eventually } from './testing/content-under-test.ts'

const name = `stoa_${randomUUID().replaceAll('-', '')}`
const admin = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL ?? '' })
const url = new URL(process.env.TEST_DATABASE_URL ?? '')
url.pathname = `/${name}`

beforeAll(async () => {
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
})

afterAll(async () => {
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await admin.end()
})

it('may be called by several at once, and each finds the database up to date', async () => {
  const applied: string[] = []
  const note = (message: string) => {
    if (message.startsWith('> - ')) applied.push(message)
  }

  await Promise.all([1, 2, 3].map(() => migrate(url.href, note)))

  expect(applied.length).toBeGreaterThan(1)
  expect(new Set(applied).size).toBe(applied.length)
}, 30_000)

it('fails where its connection breaks, and says so to its caller alone', async () => {
  const other = new pg.Client({ connectionString: url.href })
  await other.connect()
  await other.query('SELECT pg_advisory_lock($1)', [PG_MIGRATE_LOCK_ID])

  const migrating = migrate(url.href, () => {}).catch((error: unknown) => error)
  await eventually('it is cut off', async () => {
    const { rowCount } = await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event = 'advisory'`,
    )
    return rowCount === 1
  })

  expect(await migrating).toMatchObject({ code: '57P01' })
  await other.end()
}, 30_000)
