import type { Database, Query } from './database.ts'

/** Finds one row by id; calls of one turn of the event loop share a statement. */
export interface Loader<Row> {
  load(id: string): Promise<Row | undefined>
}

interface Waiting<Row> {
  resolve: (row: Row | undefined) => void
  reject: (error: unknown) => void
}

const BATCH_MAX = 100

/**
 * Gathers ids until the event loop turns, then reads them all at once: reads that arrive together,
 * and writes that one batch of verdicts has ended together, cost one statement instead of many.
 * The read starts after each call, so whoever has written reads what it wrote.
 */
export function createLoader<Row extends { id: string }>(
  db: Database,
  read: (query: Query, ids: string[]) => Promise<Row[]>,
): Loader<Row> {
  let gathered = new Map<string, Waiting<Row>[]>()
  const flush = () => {
    const batch = gathered
    gathered = new Map()
    const ids = [...batch.keys()]
    for (let from = 0; from < ids.length; from += BATCH_MAX) {
      void settle(db, read, batch, ids.slice(from, from + BATCH_MAX))
    }
  }
  return {
    load: (id) =>
      new Promise((resolve, reject) => {
        if (gathered.size === 0) setImmediate(flush)
        const waiting = gathered.get(id) ?? []
        waiting.push({ resolve, reject })
        gathered.set(id, waiting)
      }),
  }
}

async function settle<Row extends { id: string }>(
  db: Database,
  read: (query: Query, ids: string[]) => Promise<Row[]>,
  batch: Map<string, Waiting<Row>[]>,
  ids: string[],
): Promise<void> {
  const each = (run: (waiting: Waiting<Row>, id: string) => void) => {
    for (const id of ids) for (const waiting of batch.get(id) ?? []) run(waiting, id)
  }
  try {
    const rows = await db.read((query) => read(query, ids))
    const byId = new Map(rows.map((row) => [row.id, row]))
    each((waiting, id) => waiting.resolve(byId.get(id)))
  } catch (error) {
    each((waiting) => waiting.reject(error))
  }
}
