import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Database } from '../database.ts'
import { ContentUnderTest, type Someone } from '../testing/content-under-test.ts'
import { startKeyUses } from './key-uses.ts'

const log = createLogger('content', 'error')

let content: ContentUnderTest
let db: Database

beforeAll(async () => {
  content = await ContentUnderTest.start()
  db = content.openDatabase(1)
})

afterAll(() => content.stop())

it('all waiting uses of keys are noted on close, even more than one statement notes', async () => {
  const { agent_id: agentId } = await content.register()
  const { rows: keys } = await content.db.query<{ id: string }>(
    `INSERT INTO api_keys (id, public_id, hash, agent_id, created_at)
     SELECT 'key_' || n, 'public-' || n, sha256(n::text::bytea), $1, now()
     FROM generate_series(1, 1200) AS n RETURNING id`,
    [agentId],
  )
  const uses = startKeyUses(db, log)
  for (const { id } of keys) uses.note(id)

  await uses.close()

  const { rows } = await content.db.query(
    'SELECT count(*)::int AS noted FROM api_keys WHERE id = ANY($1) AND last_used_at IS NOT NULL',
    [keys.map(({ id }) => id)],
  )
  expect(rows).toEqual([{ noted: keys.length }])
})

it('the use of a key whose row is locked is left out, and the uses of other keys are noted', async () => {
  const [held, free] = [await content.register(), await content.register()]
  const isNoted = async ({ key_id }: Someone) => {
    const { rows } = await content.db.query('SELECT last_used_at FROM api_keys WHERE id = $1', [
      key_id,
    ])
    return rows[0].last_used_at !== null
  }
  const release = await content.hold('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [held.key_id])

  const uses = startKeyUses(db, log)
  for (const { key_id } of [held, free]) uses.note(key_id)
  try {
    await eventually('the other is noted', () => isNoted(free))
  } finally {
    await release()
    await uses.close()
  }

  expect(await isNoted(held)).toBe(false)
})

it('uses that come while 20,000 others wait are left out, so that they do not fill the memory', async () => {
  const { key_id } = await content.register()
  const uses = startKeyUses(db, log)
  for (let n = 0; n < 20_000; n++) uses.note(`key_unknown_${n}`)

  uses.note(key_id)

  await uses.close()
  const { rows } = await content.db.query('SELECT last_used_at FROM api_keys WHERE id = $1', [
    key_id,
  ])
  expect(rows).toEqual([{ last_used_at: null }])
})
