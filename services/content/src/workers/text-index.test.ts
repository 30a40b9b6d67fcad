import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type pg from 'pg'
import { eventually } from '../../../../tests/support/eventually.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'

const PIECE_MAX = 40
const POSTS = 100

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
})

afterAll(() => content.stop())

/** Runs in one transaction, into which no turn of the worker can come. */
async function insteadOfATurn(work: (db: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await content.db.connect()
  try {
    await client.query('BEGIN; SELECT FROM search_progress FOR UPDATE')
    await work(client)
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

/** Whether the index has the text under that word. */
async function isIndexed(id: string, word: string): Promise<boolean> {
  const { rows } = await content.db.query(
    `SELECT 1 FROM search_texts WHERE id = $1 AND doc @@ plainto_tsquery('english', $2)`,
    [id, word],
  )
  return rows.length === 1
}

async function publish(): Promise<string> {
  const { data } = await content.post(await content.register(), { title: `Walrus ${randomUUID()}` })
  return data.post.id
}

async function publishIndexed(): Promise<string> {
  const id = await publish()
  await eventually('it is indexed', () => isIndexed(id, 'walrus'))
  return id
}

/** As if an older release wrote this form of the text. */
function fillInOlderForm(db: pg.PoolClient, id: string) {
  return db.query(
    `INSERT INTO search_texts (id, doc) VALUES ($1, to_tsvector('english', 'seal'))
     ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`,
    [id],
  )
}

it('the text index replaces a text that an older release has indexed concurrently', async () => {
  let id = ''
  await insteadOfATurn(async (db) => {
    id = await publish()
    await fillInOlderForm(db, id)
    await db.query('UPDATE search_progress SET seq = (SELECT seq FROM publication)')
  })

  await eventually('it is filled in again', () => isIndexed(id, 'walrus'))
})

it('the text index replaces all texts that have an older form', async () => {
  const id = await publishIndexed()
  await publishIndexed()

  await insteadOfATurn(async (db) => {
    await fillInOlderForm(db, id)
    await db.query('UPDATE search_progress SET form = form - 1')
  })

  await eventually('it is filled in again', () => isIndexed(id, 'walrus'))
})

it('the text index leaves the rebuild of a newer form to the newer release', async () => {
  const newer = 'UPDATE search_progress SET form = form + 1, form_seq = 0 RETURNING form, form_seq'
  const { rows } = await content.db.query(newer)

  await publishIndexed()

  const now = await content.db.query('SELECT form, form_seq FROM search_progress')
  expect(now.rows).toEqual(rows)
  await content.db.query('UPDATE search_progress SET form = form - 1, form_seq = seq')
})

it('the text index reaches the end of the change log in pieces, and leaves out no post', async () => {
  const author = await content.register()
  const posts = await Promise.all(Array.from({ length: POSTS }, () => content.post(author)))
  const ids = posts.map(({ data }) => data.post.id)

  await eventually('the index is at the end of the log', async () => {
    const { rows } = await content.db.query(
      'SELECT p.seq < l.seq AS is_behind FROM search_progress p, publication l',
    )
    return !rows[0].is_behind
  })

  const { rows } = await content.db.query('SELECT id, xmin::text AS piece FROM search_texts')
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  const sizes = new Map<string, number>()
  for (const { piece } of rows) sizes.set(piece, (sizes.get(piece) ?? 0) + 1)
  expect(Math.max(...sizes.values())).toBeLessThanOrEqual(PIECE_MAX)
})
