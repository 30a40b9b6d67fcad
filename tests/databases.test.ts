import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { type Server, startPostgres, UNSAFE_BUT_FAST } from '../deploy/local/servers/servers.mjs'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'

/** Less than the 60 seconds for which the server waits for a login by default. */
const ENDS_WITHIN_MS = 45_000
const PROTOCOL = 196_608
const WORDS = Buffer.from('user\0postgres\0database\0postgres\0\0')

const { TEST_DATABASE_URL } = process.env
let dir: string
/**
 * A server of its own, because a login that keeps one database from being dropped affects all of
 * them.
 */
let server: Server

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'stoa-databases-'))
  server = await startPostgres({ dir, tuning: UNSAFE_BUT_FAST })
  process.env.TEST_DATABASE_URL = server.url
})

afterAll(async () => {
  Object.assign(process.env, { TEST_DATABASE_URL })
  await server?.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** The bytes that begin a session; the server then asks for the password. */
function startup(): Buffer {
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + WORDS.length, 0)
  head.writeInt32BE(PROTOCOL, 4)
  return Buffer.concat([head, WORDS])
}

it(
  'dropDatabase drops a database while a client hangs in its login',
  async () => {
    const url = await createDatabase()
    const { hostname, port } = new URL(url)
    const lost = createConnection(Number(port), hostname)
    lost.write(startup())
    await once(lost, 'data')

    await expect(dropDatabase(url)).resolves.toBeUndefined()

    lost.destroy()
  },
  ENDS_WITHIN_MS,
)

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

it('dropDatabase tries again if a session outlasts the time that the server waits for it', async () => {
  const url = await createDatabase()
  const [held, watch] = await Promise.all([open(url), open(server.url)])
  const { rows } = await held.query('SELECT pg_backend_pid() AS pid')
  const dropper = async (): Promise<number> => {
    const found = await watch.query(
      `SELECT pid FROM pg_stat_activity WHERE query LIKE 'DROP DATABASE%'`,
    )
    return found.rows[0]?.pid
  }
  process.kill(rows[0].pid, 'SIGSTOP')

  const dropping = dropDatabase(url)
  dropping.catch(() => {})
  const first = await eventually('it is to be dropped', dropper)
  const isTriedAgain = async () => ![first, undefined].includes(await dropper())
  await eventually('the server has given up', isTriedAgain).finally(() => {
    process.kill(rows[0].pid, 'SIGCONT')
  })

  await expect(dropping).resolves.toBeUndefined()
  await watch.end()
})
