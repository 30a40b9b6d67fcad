/** A thread that fills the tables it is told to, one after the other, with COPY. */
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { from as copyFrom } from 'pg-copy-streams'
import { openForLoading } from './connect.mjs'
import { tablesOf } from './tables.mjs'

/** @typedef {import('./tables-people.mjs').Table} Table */

const CHUNK_CHARACTERS = 256 * 1024

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
const { databaseUrl, corpus } = workerData
const tables = new Map(tablesOf(corpus).map((table) => [table.name, table]))
const client = await openForLoading(databaseUrl)

port.on('message', async (/** @type {string} */ name) => {
  await copyTable(/** @type {Table} */ (tables.get(name)))
  port.postMessage({ isDone: true })
})

/**
 * FREEZE stores the rows of a table that is emptied in the same transaction as visible to all, so
 * that no vacuum has to mark them later.
 *
 * @param {Table} table
 */
async function copyTable({ name, columns, rows }) {
  await client.query('BEGIN')
  const { rows: first } = await client.query(`SELECT FROM ${name} LIMIT 1`)
  const isEmpty = first.length === 0
  if (isEmpty) await client.query(`TRUNCATE ${name}`)
  const options = isEmpty ? ' (FREEZE)' : ''
  const stream = client.query(copyFrom(`COPY ${name} (${columns.join(', ')}) FROM STDIN${options}`))
  const written = finished(stream)
  written.catch(() => {})
  let chunk = ''
  let pending = 0
  for (const row of rows()) {
    chunk += `${row}\n`
    pending++
    if (chunk.length < CHUNK_CHARACTERS) continue
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), written])
    port.postMessage({ rows: pending })
    chunk = ''
    pending = 0
  }
  stream.end(chunk)
  await written
  await client.query('COMMIT')
  port.postMessage({ rows: pending })
}
