import { createConnection, createServer, type Server } from 'node:net'
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

/** A way to the server that is not open yet. */
beforeAll(async () => {
  port = await freePort()
  way = createServer((near) => {
    const far = createConnection(Number(server.port), server.hostname)
    near.pipe(far).pipe(near)
    for (const end of [near, far]) end.on('error', () => {})
  })
})

afterAll(async () => {
  for (const db of opened) await db.close()
  way.close()
})

function open(change: (url: URL) => void): Database {
  const url = new URL(server)
  change(url)
  const db = openDatabase(url.href, 1, log)
  opened.push(db)
  return db
}

it('says that it waits for the database, and goes on when that is there', async () => {
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

it('does not wait for a database that refuses it', async () => {
  const db = open((url) => {
    url.password = 'open-sesame'
  })

  await expect(awaitDatabase(db, log)).rejects.toMatchObject({ code: '28P01' })
  expect(lines.join()).not.toContain('open-sesame')
})
