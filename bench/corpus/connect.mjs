import pg from 'pg'

const SETTINGS = [
  ...['synchronous_commit = off', `maintenance_work_mem = '1GB'`, 'statement_timeout = 0'],
  ...['lock_timeout = 0', 'idle_in_transaction_session_timeout = 0'],
  // The lanes already keep every processor busy.
  ...['max_parallel_maintenance_workers = 0', `timezone = 'UTC'`],
]

/**
 * @param {string} databaseUrl
 * @returns {Promise<pg.Client>} a connection for loading much at once
 */
export async function openForLoading(databaseUrl) {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'stoa-bench-seed',
  })
  await client.connect()
  for (const setting of SETTINGS) await client.query(`SET ${setting}`)
  // Not every build has LZ4; the default compression takes several times as long.
  await client.query(`SET default_toast_compression = 'lz4'`).catch(() => {})
  return client
}
