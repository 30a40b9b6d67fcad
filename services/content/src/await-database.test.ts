import { once } from 'node:events'
import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { freePort } from '../../../deploy/local/processes/free-port.mjs'
import { eventually } from '../../../tests/support/eventually.ts'
import { awaitDatabase } from './await-database.ts'
import { type Database, openDatabase } from './database.ts'

const server = new URL(process.env.TEST_DATABASE_URL ?? '')
const lines: string[] = []
const log = createLogger('content', 'info', { write: (line) => void lines.push(line) })
const opened: Database[] = []
let way: Server
let port: number

/** What PostgreSQL 15 answers to a connection if its disk was full when it started. */
const NO_ROOM_FOR_SESSIONS = errorResponse(
  'SFATAL',
  'VFATAL',
  'CXX000',
  'Mcould not write init file',
)

/** Makes a way to the server that is not open yet. */
beforeAll(async () => {
  port = await freePort()
  way = createServer(goThrough)
})

afterAll(async () => {
  for (const db of opened) await db.close()
  way.close()
})

function goThrough(near: Socket): void {
  const far = createConnection(Number(server.port), server.hostname)
  near.pipe(far).pipe(near)
  for (const end of [near, far]) end.on('error', () => {})
}

/** Source: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function errorResponse(...fields: string[]): Buffer {
  const body = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.from('E....')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function open(change: (url: URL) => void): Database {
  const url = new URL(server)
  change(url)
  const db = openDatabase(url.href, 1, log)
  opened.push(db)
  return db
}

it('content logs that it waits for the database, and goes on once the database answers', async () => {
  const db = open((url) => {
    url.host = `127.0.0.1:${port}`
  })
  const waiting = awaitDatabase(db, log)
  const said = await eventually('it waits', async () =>
    lines.find((line) => line.includes('waiting for the database')),
  )

  way.listen(port, '127.0.0.1')
  await waiting

  expect(JSON.parse(said)).toMatchObject({ level: 40 })
  expect(await db.ping()).toBe('writable')
})

it('content waits for a database whose full disk lets it accept no session', async () => {
  lines.length = 0
  let isFull = true
  const full = createServer((near) => {
    near.on('error', () => {})
    if (isFull) near.once('data', () => near.end(NO_ROOM_FOR_SESSIONS))
    else goThrough(near)
  }).listen(0, '127.0.0.1')
  await once(full, 'listening')
  const db = open((url) => {
    url.host = `127.0.0.1:${(full.address() as AddressInfo).port}`
  })
  const waiting = awaitDatabase(db, log)
  const told = db.read(async () => {}).catch((error: unknown) => error)
  const said = await eventually('it waits', async () =>
    lines.find((line) => line.includes('waiting for the database')),
  )

  expect(await told).toMatchObject({ code: 'unavailable' })
  isFull = false
  await waiting

  expect(said).toContain('could not write init file')
  expect(await db.ping()).toBe('writable')
  full.close()
})

it('content does not wait for a database that refuses the password', async () => {
  const db = open((url) => {
    url.password = 'open-sesame'
  })

  await expect(awaitDatabase(db, log)).rejects.toMatchObject({ code: '28P01' })
  expect(lines.join()).not.toContain('open-sesame')
})
