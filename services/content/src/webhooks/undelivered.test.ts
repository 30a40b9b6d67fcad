import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { signal } from '../../../../tests/support/signal.ts'
import { type Database, openDatabase } from '../database.ts'
import { ModeratedForum } from '../testing/moderated-forum.ts'
import { startWebhooks } from './webhooks.ts'

const ADDRESS = 'https://10.0.0.1:8443/services/T0/B0/token'

const lines: string[] = []
const log = createLogger('content', 'warn', { write: (line) => void lines.push(line) })
let forum: ModeratedForum
let db: Database
let bus: Bus
let webhooks: Awaited<ReturnType<typeof sendTo>>

beforeAll(async () => {
  forum = await ModeratedForum.start()
  db = openDatabase(forum.content.databaseUrl, 2, log)
  bus = await connectBus('content', forum.content.nats.urlFor('content'))
  webhooks = await sendTo(ADDRESS, false)
  await forum.publicPost('FLAGME')
})

afterAll(async () => {
  await webhooks.close()
  await bus.close()
  await db.close()
  await forum.content.stop()
})

function sendTo(url: string, allowPrivate: boolean) {
  const secrets = [Buffer.alloc(32, 7)]
  return startWebhooks({ db, bus, log }, { urls: [url], secrets, allowPrivate, retryMs: 600_000 })
}

it('content logs why a webhook was not delivered, and only the host of its address', async () => {
  const line = await eventually('it is logged', async () => lines[0])

  expect(JSON.parse(line)).toMatchObject({
    msg: 'webhook not delivered',
    host: '10.0.0.1:8443',
    attempts: 1,
    status: null,
    err: { message: 'a private address' },
  })
  expect(line).not.toContain('token')
})

it('a webhook waits about six hours after its fifth failed attempt', async () => {
  const { db } = forum.content
  const noted = async (attempts: number) => {
    const { rows } = await db.query(
      `SELECT extract(epoch FROM next_at - now())::float8 / 3600 AS hours FROM webhook_deliveries
       WHERE attempts = $1 AND next_at > now() + interval '2 minutes'`,
      [attempts],
    )
    return rows[0]
  }
  await eventually('the first is noted', () => noted(1))

  await db.query('UPDATE webhook_deliveries SET attempts = 4, next_at = now()')

  const { hours } = await eventually('the fifth is noted', () => noted(5))
  expect(hours).toBeGreaterThan(4.7)
  expect(hours).toBeLessThanOrEqual(7.2)
})

it('content does not wait for the answer to a webhook when it stops', async () => {
  const asked = signal()
  const receiver = createServer(() => asked.give())
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
  const { port } = receiver.address() as AddressInfo
  await webhooks.close()
  webhooks = await sendTo(`http://127.0.0.1:${port}/`, true)
  await forum.publicPost('FLAGME')
  await asked.given

  await webhooks.close()

  receiver.close()
  expect(JSON.parse(lines.at(-1) as string)).toMatchObject({
    host: `127.0.0.1:${port}`,
    err: { code: 'ABORT_ERR' },
  })
})

it('a webhook is not given up if content stops during its last attempt', async () => {
  const { db } = forum.content
  let asked = signal()
  const receiver = createServer(() => asked.give())
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/last`
  const toIt = `url_hash = left(encode(sha256('${url}'), 'hex'), 32)`
  webhooks = await sendTo(url, true)
  await forum.publicPost('FLAGME')
  await asked.given
  await webhooks.close()
  await db.query(`UPDATE webhook_deliveries SET attempts = 9, next_at = now() WHERE ${toIt}`)
  asked = signal()
  webhooks = await sendTo(url, true)
  await asked.given

  await webhooks.close()

  receiver.close()
  const { rows } = await db.query(
    `SELECT attempts, dead_at, next_at > now() AS waits FROM webhook_deliveries WHERE ${toIt}`,
  )
  expect(rows).toEqual([{ attempts: 10, dead_at: null, waits: true }])
})
