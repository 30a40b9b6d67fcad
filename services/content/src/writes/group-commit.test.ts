import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { type Database, openDatabase } from '../database.ts'
import { ContentUnderTest, eventually } from '../testing/content-under-test.ts'
import { type Group, groupCommit } from './group-commit.ts'
import { Held } from './held.ts'
import type { Order } from './order.ts'

interface Text extends Order {
  text: string
}

let content: ContentUnderTest
let db: Database
let group: Group<Text, string>
/** How many orders each transaction began with. */
let batches: number[]
/** What somebody else holds: what orders need, or all that one order is about. */
let held: Set<string>
let heldForMs: number

beforeAll(async () => {
  content = await ContentUnderTest.start()
  await content.db.query('CREATE TABLE texts (text text PRIMARY KEY)')
  db = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))
}, 60_000)

beforeEach(async () => {
  await content.db.query('TRUNCATE texts')
  batches = []
  held = new Set()
  heldForMs = 10_000
  group = groupCommit<Text, string>({
    db,
    everyMs: 5,
    marksOf: () => [],
    needsOf: ({ text }) => [needOf(text)],
    settle: async (tx, orders) => {
      batches.push(orders.length)
      const results = orders.map(({ text }) => heldBack(text) ?? text)
      const free = results.filter((result) => !(result instanceof Held))
      await tx.rows('store', 'INSERT INTO texts SELECT unnest($1::text[])', [free])
      return results
    },
  })
})

afterAll(async () => {
  await db.close()
  await content.stop()
}, 30_000)

/** Each needs the first letter of its text. */
function needOf(text: string): string {
  return text.slice(0, 1)
}

function heldBack(text: string): Held | undefined {
  if (held.has(text)) return new Held('unavailable', heldForMs)
  return held.has(needOf(text)) ? new Held('unavailable', heldForMs, needOf(text)) : undefined
}

function add(text: string, remainingMs = 10_000): Promise<string> {
  const meta = { requestId: 'request', remainingMs }
  return group.add({ meta, agentId: 'agt_1', keyId: 'key_1', text })
}

async function stored(): Promise<string[]> {
  return (await content.db.query('SELECT text FROM texts ORDER BY text')).rows.map((r) => r.text)
}

it('stores what comes together in one transaction', async () => {
  expect(await Promise.all(['a', 'b', 'c'].map((text) => add(text)))).toEqual(['a', 'b', 'c'])

  expect(batches).toEqual([3])
})

it('refuses what the database does not take, and stores what came with it', async () => {
  const ended = await Promise.allSettled(['a', 'nul \u0000', 'b', 'b'].map((text) => add(text)))

  expect(ended.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ])
  expect(await stored()).toEqual(['a', 'b'])
  expect(batches).toEqual([4, 1, 1, 1, 1])
})

it('tries what is held again, with one order of those that need the same', async () => {
  held.add('a')

  const waiting = ['a1', 'a2', 'a3'].map((text) => add(text))
  await add('b')
  await eventually('it was tried again', async () => batches.length > 3)
  held.clear()

  expect(await Promise.all(waiting)).toEqual(['a1', 'a2', 'a3'])
  expect(await stored()).toEqual(['a1', 'a2', 'a3', 'b'])
  const [first, ...others] = batches
  expect([first, others.pop()]).toEqual([4, 2])
  expect(new Set(others)).toEqual(new Set([1]))
})

it('keeps nobody waiting behind one that needs the same, but is held for another reason', async () => {
  held.add('a').add('a1')

  const waiting = [add('a1'), add('a2'), add('a3')]
  await add('b')
  held.delete('a')

  expect(await Promise.all(waiting.slice(1))).toEqual(['a2', 'a3'])
  held.clear()
  expect(await waiting[0]).toBe('a1')
})

it('refuses what is held for too long', async () => {
  held.add('a')
  heldForMs = 200

  await expect(add('a')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await stored()).toEqual([])
})

it('refuses what is held before its caller goes away', async () => {
  held.add('a')

  await expect(add('a', 1_000)).rejects.toMatchObject({ code: 'unavailable' })
})

it('takes new orders while very many are held', async () => {
  const letters = Array.from({ length: 300 }, (_, i) => String.fromCharCode(0x4e00 + i))
  held = new Set(letters)

  const waiting = letters.map((letter) => add(letter))
  expect(await add('b')).toBe('b')
  held.clear()

  expect(await Promise.all(waiting)).toEqual(letters)
})
