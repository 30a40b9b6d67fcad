/**
 * `npm run database`: only the private PostgreSQL of `npm start`, for a restore or a look with psql
 * while no service uses it. The program prints the address of the server, and Ctrl-C stops both.
 */
import { join } from 'node:path'
import { readCommandLine } from '../../packages/shared/src/process/command-line.mjs'
import { makeDataFolder } from './launch/data-folder.mjs'
import { PROCESSES, removeRunning } from './launch/running.mjs'
import { DATA_DIR } from './paths.mjs'
import {
  leaveCharge,
  otherInCharge,
  stopLeftovers,
  takeCharge,
} from './processes/process-record.mjs'
import { stopOnSignals, untilAborted } from './processes/stop-request.mjs'
import { startPostgres } from './servers/servers.mjs'

readCommandLine('usage: npm run database', {})
const stopRequest = stopOnSignals()
try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main() {
  if (process.env.DATABASE_URL) {
    throw new Error('DATABASE_URL is set: unset it, or use the server that it names.')
  }
  makeDataFolder(DATA_DIR)
  const other = otherInCharge(PROCESSES)
  if (other)
    throw new Error(`Stop the forum first: it runs from this data folder (process ${other}).`)
  takeCharge(PROCESSES)
  try {
    // A launcher that was killed has left the file that says where its servers were.
    removeRunning()
    await stopLeftovers(PROCESSES)
    const server = await startPostgres({ dir: join(DATA_DIR, 'postgresql'), database: 'stoa' })
    console.log(
      `PostgreSQL runs until Ctrl-C. In another terminal:\n\n  DATABASE_URL=${server.url}\n`,
    )
    await untilAborted(stopRequest)
    await server.stop()
  } finally {
    leaveCharge(PROCESSES)
  }
}
