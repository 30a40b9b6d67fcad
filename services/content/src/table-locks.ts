import type pg from 'pg'

/** A lock that keeps statements from a table. */
export interface TableLock {
  table: string
  waiting: number
  /** The session that holds the table, or is ahead of others in the queue for it. */
  pid: number
  /** Null, as are the next two, if the database role may not see them. */
  application: string | null
  state: string | null
  seconds: number | null
}

const TOLD_MAX = 5

/** Which tables statements wait for, and which sessions hold them. */
export async function findTableLocks(client: pg.ClientBase): Promise<TableLock[]> {
  const { rows } = await client.query<TableLock>(
    `SELECT w.relation::regclass::text AS table, count(*) AS waiting, h.pid,
       h.application_name AS application, h.state,
       floor(extract(epoch FROM clock_timestamp() - h.xact_start))::int AS seconds
     FROM pg_locks w
     JOIN pg_database d ON d.oid = w.database AND d.datname = current_database()
     CROSS JOIN LATERAL (SELECT DISTINCT unnest(pg_blocking_pids(w.pid)) AS pid) b
     JOIN pg_stat_activity h ON h.pid = b.pid
     WHERE w.locktype = 'relation' AND NOT w.granted
     GROUP BY w.relation, h.pid, h.application_name, h.state, h.xact_start
     ORDER BY waiting DESC, seconds DESC LIMIT ${TOLD_MAX}`,
  )
  return rows
}
