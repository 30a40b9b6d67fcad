import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { migrate } from './migrate.ts'

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
