import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Database } from './database.ts'
import { createLoader } from './loader.ts'
import { ContentUnderTest } from './testing/content-under-test.ts'
import type { Query } from './transaction.ts'

let content: ContentUnderTest
let db: Database

beforeAll(async () => {
  content = await ContentUnderTest.start()
  db = content.openDatabase(2)
})

afterAll(() => content.stop())

/** Doubles numbers, and records which were asked for together. */
function doubling(statements: number[][]) {
  return async (query: Query, keys: number[]) => {
    statements.push(keys)
    const sql =
      'SELECT 2 * n AS twice FROM unnest($1::int[]) WITH ORDINALITY AS k (n, i) ORDER BY i'
    return (await query.rows<{ twice: number }>('double', sql, [keys])).map(({ twice }) => twice)
  }
}

it('a loader asks the database once for all keys of one turn, in batches, and answers each key', async () => {
  const statements: number[][] = []
  const loader = createLoader(db, { batchMax: 3 }, doubling(statements))

  expect(await Promise.all([1, 2, 3, 4].map(loader.load))).toEqual([2, 4, 6, 8])
  // Each batch has a connection of its own, and either may come first.
  expect(statements.sort(([a = 0], [b = 0]) => a - b)).toEqual([[1, 2, 3], [4]])
})

it('a loader answers a batch in pieces, each piece in its own turn of the event loop', async () => {
  const loader = createLoader(db, { batchMax: 6, pieceMax: 2 }, doubling([]))
  let turn = 0
  let isDone = false
  const count = () => {
    turn++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const answered = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(async (key) => [await loader.load(key), turn] as const),
  )
  isDone = true

  expect(answered.map(([found]) => found)).toEqual([2, 4, 6, 8, 10, 12])
  const [first = 0] = answered.map(([, at]) => at)
  expect(answered.map(([, at]) => at - first)).toEqual([0, 0, 1, 1, 2, 2])
})

it('a loader fails all loads that share a failed statement, and no others', async () => {
  const loader = createLoader(db, { batchMax: 2 }, (query, keys: string[]) =>
    query.rows('cast', 'SELECT unnest($1::text[])::int', [keys]),
  )

  const found = await Promise.allSettled(['1', 'two', '3'].map(loader.load))

  expect(found.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})
