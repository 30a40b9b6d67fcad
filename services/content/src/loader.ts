import type { Database, Query } from './database.ts'

/** Answers one question; questions of one turn of the event loop share their statements. */
export interface Loader<Key, Found> {
  load(key: Key): Promise<Found>
}

interface Waiting<Key, Found> {
  key: Key
  resolve: (found: Found) => void
  reject: (error: unknown) => void
}

/**
 * Gathers questions until the event loop turns, then answers them all at once, at most `batchMax`
 * at a time: reads that arrive together, and writes that one batch of verdicts has ended together,
 * cost one statement instead of many. `read` answers in the order asked, and starts after each
 * question, so whoever has written reads what it wrote.
 */
export function createLoader<Key, Found>(
  db: Pick<Database, 'read'>,
  batchMax: number,
  read: (query: Query, keys: Key[]) => Promise<Found[]>,
): Loader<Key, Found> {
  let gathered: Waiting<Key, Found>[] = []
  const flush = () => {
    const all = gathered
    gathered = []
    for (let from = 0; from < all.length; from += batchMax) {
      void settle(db, read, all.slice(from, from + batchMax))
    }
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
  read: (query: Query, keys: Key[]) => Promise<Found[]>,
  batch: Waiting<Key, Found>[],
): Promise<void> {
  try {
    const found = await db.read((query) =>
      read(
        query,
        batch.map(({ key }) => key),
      ),
    )
    for (const [i, { resolve }] of batch.entries()) resolve(found[i] as Found)
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
