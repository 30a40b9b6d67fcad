import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { StreamRefusal } from '@stoa/shared/bus/stream-refusal.js'
import { createLogger, type Logger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { openDatabase } from '../database.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import { startRelay } from './outbox-relay.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
  // This test runs a leader of its own.
  await content.close()
})

afterAll(() => content.stop())

/** A logger, and the warnings that it was given. */
function keptWarnings() {
  const said: string[] = []
  const log: Logger = createLogger('content', 'silent')
  log.warn = ((_about: unknown, message: string) => void said.push(message)) as Logger['warn']
  return { log, said }
}

/** The answer of JetStream to a message for which it has no room, on its disk for example. */
const NO_ROOM = new StreamRefusal(10_077, 'no space left on device')

it('the relay logs once that the bus has no room for requests for scans, and sets them aside', async () => {
  const { log, said } = keptWarnings()
  const bus = await connectBus('content', content.nats.urlFor('content'))
  const full: Bus = { ...bus, publish: () => Promise.reject(NO_ROOM) }
  const db = openDatabase(content.databaseUrl, 1, log)
  const relay = startRelay(db, full, log)

  await content.db.query(
    `INSERT INTO outbox (id, subject, event)
     SELECT 'evt_' || n, 'scan.requested', '{}' FROM generate_series(1, 300) AS n`,
  )

  await eventually('all are set aside', async () => {
    const { rows } = await content.db.query('SELECT FROM outbox WHERE sent_at IS NULL')
    return rows.length === 0
  })
  expect(said).toEqual(['the bus has no room for scans: they are asked for again later'])
  await relay.close()
  await bus.close()
  await db.close()
})

it('the relay keeps other events than requests for scans until the bus has room, and warns of that', async () => {
  const { log, said } = keptWarnings()
  const bus = await connectBus('content', content.nats.urlFor('content'))
  let hasRoom = false
  const full: Bus = {
    ...bus,
    publish: (...event) => (hasRoom ? bus.publish(...event) : Promise.reject(NO_ROOM)),
  }
  const unsent = async (subject: string) => {
    const { rows } = await content.db.query<{ id: string }>(
      'SELECT id FROM outbox WHERE sent_at IS NULL AND subject = $1',
      [subject],
    )
    return rows.map(({ id }) => id)
  }
  await content.db.query(
    `INSERT INTO outbox (id, subject, event)
     VALUES ('evt_post', 'forum.post.published', '{}'), ('evt_scan', 'scan.requested', '{}')`,
  )
  const db = openDatabase(content.databaseUrl, 1, log)
  const relay = startRelay(db, full, log)
  await eventually('the scan is set aside', async () => {
    return (await unsent('scan.requested')).length === 0
  })
  const kept = await unsent('forum.post.published')

  hasRoom = true

  await eventually('the post is told of', async () => {
    return (await unsent('forum.post.published')).length === 0
  })
  expect(kept).toEqual(['evt_post'])
  expect(said).toContain('worker turn failed')
  await relay.close()
  await bus.close()
  await db.close()
})
