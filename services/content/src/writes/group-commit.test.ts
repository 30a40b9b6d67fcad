import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Database } from '../database.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import type { Transaction } from '../transaction.ts'
import { type Group, groupCommit, WAITING_MAX } from './group-commit.ts'
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
/** The texts that were tried, in order. */
let tried: string[]
/** Whether each transaction waited for rows that another had locked. */
let waited: boolean[]
/** Runs once, inside the next transaction. */
let meanwhile: (tx: Transaction) => unknown
/** Needs that another transaction holds, or the whole text of a single order. */
let held: Set<string>
let heldForMs: number

beforeAll(async () => {
  content = await ContentUnderTest.start()
  await content.db.query('CREATE TABLE texts (text text PRIMARY KEY)')
  db = content.openDatabase(1)
})

beforeEach(async () => {
  await content.db.query('TRUNCATE texts')
  batches = []
  tried = []
  waited = []
  meanwhile = () => {}
  held = new Set()
  heldForMs = 10_000
  group = groupOf(5)
})

function groupOf(everyMs: number) {
  return groupCommit<Text, string>({
    db,
    everyMs,
    marksOf: () => [],
    needsOf: ({ text }) => [needOf(text)],
    settle: async (tx, orders, waits) => {
      batches.push(orders.length)
      waited.push(waits)
      tried.push(...orders.map(({ text }) => text))
      const results = orders.map(({ text }) => heldBack(text) ?? text)
      const run = meanwhile
      meanwhile = () => {}
      await run(tx)
      const free = results.filter((result) => !(result instanceof Held))
      await tx.rows('store', 'INSERT INTO texts SELECT unnest($1::text[])', [free])
      return results
    },
  })
}

afterAll(() => content.stop())

/** Each order needs the first letter of its text. */
function needOf(text: string): string {
  return text.slice(0, 1)
}

function heldBack(text: string): Held | undefined {
  if (held.has(text)) return new Held('unavailable', heldForMs)
  return held.has(needOf(text)) ? new Held('unavailable', heldForMs, needOf(text)) : undefined
}

function add(text: string, remainingMs = 10_000, more: Partial<Meta> = {}): Promise<string> {
  const meta = { requestId: 'request', remainingMs, ...more }
  return group.add({ meta, agentId: 'agt_1', keyId: 'key_1', text })
}

async function stored(): Promise<string[]> {
  return (await content.db.query('SELECT text FROM texts ORDER BY text')).rows.map((r) => r.text)
}

it('a group commit stores orders that come together in one transaction', async () => {
  expect(await Promise.all(['a', 'b', 'c'].map((text) => add(text)))).toEqual(['a', 'b', 'c'])

  expect(batches).toEqual([3])
})

it('a group commit puts orders with the same Idempotency-Key into separate transactions', async () => {
  const idempotency = { key: 'k', scope: 'POST /', body_hash: 'aa' }

  await Promise.all(['a', 'b', 'c'].map((text) => add(text, 10_000, { idempotency })))

  expect(batches).toEqual([1, 1, 1])
  expect(tried).toEqual(['a', 'b', 'c'])
})

it('a group commit refuses orders beyond the greatest number that may wait', async () => {
  const texts = Array.from({ length: WAITING_MAX + 1 }, (_, i) => `${i}`)

  const ended = await Promise.allSettled(texts.map((text) => add(text)))

  expect(ended.pop()).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  expect(ended.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(Math.max(...batches)).toBe(256)
})

it.each([
  { what: 'a text that no column can hold', text: 'nul \u0000' },
  { what: 'a text that breaks a constraint', text: 'a' },
])('a group commit refuses $what, and stores the others of the batch', async ({ text }) => {
  const ended = await Promise.allSettled(['a', text, 'b'].map((each) => add(each)))

  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await stored()).toEqual(['a', 'b'])
  expect(batches).toEqual([3, 1, 1, 1])
})

it('a group commit tries an order again that is held beside an order that the database rejects', async () => {
  held.add('a')

  const waiting = add('a')
  await expect(add('nul \u0000')).rejects.toBeDefined()
  held.clear()

  expect(await waiting).toBe('a')
})

it('a group commit stores orders together that come while the next batch may not begin yet', async () => {
  group = groupOf(2_000)
  await add('a')

  const next = add('b')
  for (let n = 0; n < 10; n++) await stored()
  await Promise.all([next, add('c')])

  expect(batches).toEqual([1, 2])
})

it('a group commit refuses a whole batch without a second try if the database fails', async () => {
  meanwhile = (tx) => tx.rows('bug', `DO 'BEGIN RAISE EXCEPTION ''bug''; END'`)

  const ended = await Promise.allSettled(['a', 'b'].map((text) => add(text)))

  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(batches).toEqual([2])
})

it('a group commit refuses every order once a table has been locked for too long', async () => {
  const release = await content.hold('LOCK TABLE texts')
  const first = add('a', 8_000)
  await eventually('it waits for the table', async () => (await content.lockWaits()) === 1)
  const ended = await Promise.allSettled([first, add('b', 8_000)])
  await release()

  const refusal = { code: 'unavailable', details: { reason: 'held' } }
  expect(ended).toMatchObject(Array(2).fill({ status: 'rejected', reason: refusal }))
  expect(batches).toEqual([1])
})

it('a group commit tries held orders again, with one order for each need', async () => {
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

it('a group commit tries a held order before a later order with the same need', async () => {
  held.add('a')
  let later: Promise<string> | undefined
  meanwhile = () => {
    later = add('a2')
    held.clear()
  }

  expect(await add('a1')).toBe('a1')
  await later

  expect(tried).toEqual(['a1', 'a1', 'a2'])
  expect(waited).toEqual([true, false, true])
})

it('a group commit does not retry an order whose time has run out while it waited for a lock', async () => {
  meanwhile = async (tx) => {
    await tx.rows('sleep', 'SELECT pg_sleep(0.3)')
    await tx.rows('fail', `DO 'BEGIN RAISE EXCEPTION USING ERRCODE = ''55P03''; END'`)
  }

  await expect(add('a', 200)).rejects.toMatchObject({ code: 'timeout' })
  expect(await stored()).toEqual([])
})

it('a group commit lets orders pass an order with the same need that is held for another reason', async () => {
  held.add('a').add('a1')

  const waiting = [add('a1'), add('a2'), add('a3')]
  await add('b')
  held.delete('a')

  expect(await Promise.all(waiting.slice(1))).toEqual(['a2', 'a3'])
  held.clear()
  expect(await waiting[0]).toBe('a1')
})

it('a group commit refuses an order that is held for too long', async () => {
  held.add('a')
  heldForMs = 200

  // Its caller would wait for longer than this test may take.
  await expect(add('a', 600_000)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await stored()).toEqual([])
})

it("a group commit holds an order for at least half of its caller's time before it refuses the order", async () => {
  held.add('a')
  const beganAt = performance.now()

  await expect(add('a', 1_000)).rejects.toMatchObject({ code: 'unavailable' })
  expect(performance.now() - beganAt).toBeGreaterThan(500)
})

it('a group commit accepts new orders while very many orders are held', async () => {
  const letters = Array.from({ length: 300 }, (_, i) => String.fromCharCode(0x4e00 + i))
  held = new Set(letters)

  const waiting = letters.map((letter) => add(letter))
  expect(await add('b')).toBe('b')
  held.clear()

  expect(await Promise.all(waiting)).toEqual(letters)
})
