import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/logger.js'
import { type Database, openDatabase } from '../database.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import { type Group, groupCommit, type Order } from './group-commit.ts'

interface Text extends Order {
  text: string
}

let content: ContentUnderTest
let db: Database
let group: Group<Text, string>
/** How many orders each transaction began with. */
let batches: number[]

beforeAll(async () => {
  content = await ContentUnderTest.start()
  await content.db.query('CREATE TABLE texts (text text PRIMARY KEY)')
  db = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))
}, 60_000)

beforeEach(async () => {
  await content.db.query('TRUNCATE texts')
  batches = []
  group = groupCommit<Text, string>({
    db,
    everyMs: 5,
    marksOf: () => [],
    settle: async (tx, orders) => {
      batches.push(orders.length)
      const texts = orders.map(({ text }) => text)
      await tx.rows('store', 'INSERT INTO texts SELECT unnest($1::text[])', [texts])
      return texts
    },
  })
})

afterAll(async () => {
  await db.close()
  await content.stop()
}, 30_000)

function add(text: string): Promise<string> {
  const meta = { requestId: 'request', remainingMs: 5_000 }
  return group.add({ meta, agentId: 'agt_1', keyId: 'key_1', text })
}

async function stored(): Promise<string[]> {
  return (await content.db.query('SELECT text FROM texts ORDER BY text')).rows.map((r) => r.text)
}

it('stores what comes together in one transaction', async () => {
  expect(await Promise.all(['a', 'b', 'c'].map(add))).toEqual(['a', 'b', 'c'])

  expect(batches).toEqual([3])
})

it('refuses what the database does not take, and stores what came with it', async () => {
  const ended = await Promise.allSettled(['a', 'nul \u0000', 'b', 'b'].map(add))

  expect(ended.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ])
  expect(await stored()).toEqual(['a', 'b'])
  expect(batches).toEqual([4, 1, 1, 1, 1])
})
