import { afterAll, beforeAll, it } from '@jest/globals'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { type Line, lineTo } from '../../../../tests/support/line-to.ts'
import { openDatabase } from '../database.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import { startRelay } from './outbox-relay.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
  // The leaders of these tests are their own.
  await content.close()
}, 60_000)

afterAll(() => content.stop(), 30_000)

const SUBJECT = 'forum.post.published'

/** Of so many bytes, more than lie on a line that nobody reads. */
const LARGE = { rows: 256, bytes: 80_000 }

async function write(rows: number, bytes: number): Promise<void> {
  await content.db.query(
    `INSERT INTO outbox (id, subject, event)
     SELECT 'evt_' || gen_random_uuid(), $1, repeat('x', $2) FROM generate_series(1, $3)`,
    [SUBJECT, bytes, rows],
  )
}

async function unsent(): Promise<number> {
  const { rows } = await content.db.query('SELECT FROM outbox WHERE sent_at IS NULL')
  return rows.length
}

async function leaders(): Promise<number> {
  const { rows } = await content.db.query(
    `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
     WHERE locktype = 'advisory' AND datname = current_database() AND granted`,
  )
  return rows.length
}

/** The leader's connection is disturbed; the way is open for new ones. */
async function outlives(disturb: (line: Line) => Promise<void>): Promise<void> {
  const log = createLogger('content', 'silent')
  const line = await lineTo(content.databaseUrl)
  const db = openDatabase(line.url, 1, log)
  const bus = await connectBus('content', content.nats.urlFor('content'))
  const relay = startRelay(db, bus, log)
  await eventually('it leads', async () => (await leaders()) === 1)

  await disturb(line)

  await eventually('all is sent', async () => (await unsent()) === 0, 40_000)
  await relay.close()
  await bus.close()
  await db.close()
  await line.close()
}

it('is led again after the leader was lost without a word', async () => {
  await outlives(async (line) => {
    line.lose()
    await write(1, 100)
  })
}, 60_000)

it('is led again after the leader was lost while PostgreSQL answered it', async () => {
  await outlives(async (line) => {
    line.loseAnswers()
    await write(LARGE.rows, LARGE.bytes)
  })
}, 60_000)
