import type pg from 'pg'
import { eventually } from '../../../../tests/support/eventually.ts'

/** Resolves once a statement waits for a lock on the table, as `client` sees it. */
export function somebodyWaitsFor(table: string, client: pg.ClientBase): Promise<unknown> {
  return eventually(`somebody waits for ${table}`, async () => {
    const { rowCount } = await client.query(
      'SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted',
      [table],
    )
    return rowCount === 1
  })
}
