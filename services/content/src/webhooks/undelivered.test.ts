import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { openDatabase } from '../database.ts'
import { ModeratedForum } from '../testing/moderated-forum.ts'
import { startWebhooks } from './webhooks.ts'

const ADDRESS = 'https://10.0.0.1:8443/services/T0/B0/token'

let forum: ModeratedForum

beforeAll(async () => {
  forum = await ModeratedForum.start()
})

afterAll(() => forum.content.stop())

it('says in the log why a message has not arrived, and nothing of the address but its host', async () => {
  const lines: string[] = []
  const log = createLogger('content', 'warn', { write: (line) => void lines.push(line) })
  const db = openDatabase(forum.content.databaseUrl, 2, log)
  const bus = await connectBus('content', forum.content.nats.urlFor('content'))
  const secrets = [Buffer.alloc(32, 7)]
  const settings = { urls: [ADDRESS], secrets, allowPrivate: false, retryMs: 600_000 }
  const webhooks = await startWebhooks({ db, bus, log }, settings)

  await forum.publicPost('FLAGME')

  const line = await eventually('it is logged', async () => lines[0])
  expect(JSON.parse(line)).toMatchObject({
    msg: 'webhook not delivered',
    host: '10.0.0.1:8443',
    attempts: 1,
    status: null,
    err: { message: 'a private address' },
  })
  expect(line).not.toContain('token')
  await webhooks.close()
  await bus.close()
  await db.close()
})
