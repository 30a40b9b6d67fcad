import { setImmediate as nextTurn } from 'node:timers/promises'
import { piecesOf } from '@stoa/shared/process/pieces.js'
import type { Database } from './database.ts'
import type { Query } from './transaction.ts'

/** Answers one question; questions of one turn of the event loop share their statements. */
export interface Loader<Key, Found> {
  load(key: Key): Promise<Found>
}

interface Waiting<Key, Found> {
  key: Key
  resolve: (found: Found) => void
  reject: (error: unknown) => void
}

type Read<Key, Found> = (query: Query, keys: Key[]) => Promise<Found[]>

interface Limits {
  /** The most questions that share a statement. */
  batchMax: number
  /** The most questions answered in one turn of the event loop; the whole batch by default. */
  pieceMax?: number
}

/**
 * Gathers questions until the event loop turns, then asks them together: reads that arrive
 * together, and writes that one batch of verdicts has ended together, cost one statement instead of
 * many. `read` answers in the order asked. It starts after each question, so a writer reads what it
 * wrote.
 *
 * When answers are much work for the process that receives them, `pieceMax` lets the first leave
 * while the next are made. Otherwise each process would wait while the other works on the whole
 * batch.
 */
export function createLoader<Key, Found>(
  db: Pick<Database, 'read'>,
  limits: Limits,
  read: Read<Key, Found>,
): Loader<Key, Found> {
  const { batchMax, pieceMax = batchMax } = limits
  let gathered: Waiting<Key, Found>[] = []
  const flush = () => {
    const batches = piecesOf(gathered, batchMax)
    gathered = []
    for (const batch of batches) void settle(db, read, batch, pieceMax)
  }
  return {
    load: (key) =>
      new Promise((resolve, reject) => {
        if (gathered.length === 0) setImmediate(flush)
        gathered.push({ key, resolve, reject })
      }),
  }
}

async function settle<Key, Found>(
  db: Pick<Database, 'read'>,
  read: Read<Key, Found>,
  batch: Waiting<Key, Found>[],
  pieceMax: number,
): Promise<void> {
  try {
    const found = await db.read((query) =>
      read(
        query,
        batch.map(({ key }) => key),
      ),
    )
    for (const [i, { resolve }] of batch.entries()) {
      if (i > 0 && i % pieceMax === 0) await nextTurn()
      resolve(found[i] as Found)
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/** Turns a statement that finds rows, in any order, into one that answers id by id. */
export function byId<Row extends { id: string }>(
  find: (query: Query, ids: string[]) => Promise<Row[]>,
): (query: Query, ids: string[]) => Promise<(Row | undefined)[]> {
  return async (query, ids) => {
    const rows = new Map((await find(query, [...new Set(ids)])).map((row) => [row.id, row]))
    return ids.map((id) => rows.get(id))
  }
}
