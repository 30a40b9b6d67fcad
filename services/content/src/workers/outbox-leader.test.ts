import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { createDatabase, dropDatabase } from '../../../../tests/support/databases.ts'
import { eventually } from '../../../../tests/support/eventually.ts'
import { type Line, lineTo } from '../../../../tests/support/line-to.ts'
import { type Database, openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import { idsRead, messagesIn } from '../testing/forum-stream.ts'
import { startRelay } from './outbox-relay.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
  // These tests run leaders of their own.
  await content.close()
})

afterAll(() => content.stop())

const SUBJECT = 'forum.post.published'

/** More bytes in all than fit on a connection that nobody reads. */
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

async function leaders(databaseUrl = content.databaseUrl): Promise<number> {
  const { rows } = await content.db.query(
    `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
     WHERE locktype = 'advisory' AND datname = $1 AND granted`,
    [new URL(databaseUrl).pathname.slice(1)],
  )
  return rows.length
}

/** Shorter than by default, and with it the silence after which PostgreSQL ends a connection. */
const STATEMENT_TIMEOUT_MS = 2_000

/** Disturbs the leader's connection; new connections work. */
async function outlives(disturb: (line: Line) => Promise<void>): Promise<void> {
  const log = createLogger('content', 'silent')
  const line = await lineTo(content.databaseUrl)
  const db = openDatabase(line.url, 1, log, STATEMENT_TIMEOUT_MS)
  const bus = await connectBus('content', content.nats.urlFor('content'))
  const relay = startRelay(db, bus, log)
  await eventually('it leads', async () => (await leaders()) === 1)

  await disturb(line)

  await eventually('all is sent', async () => (await unsent()) === 0)
  await relay.close()
  await bus.close()
  await db.close()
  await line.close()
}

it("the outbox gets a new leader after the leader's connection was lost silently", async () => {
  await outlives(async (line) => {
    line.lose()
    await write(1, 100)
  })
})

it("the outbox gets a new leader after the leader's connection was lost during an answer of PostgreSQL", async () => {
  await outlives(async (line) => {
    line.loseAnswers()
    await write(LARGE.rows, LARGE.bytes)
  })
})

it('the outbox is led by one of two relays, and only the leader sends', async () => {
  const log = createLogger('content', 'silent')
  const db = openDatabase(content.databaseUrl, 2, log)
  const bus = await connectBus('content', content.nats.urlFor('content'))
  const operator = await connectBus('content', content.nats.url)
  const relays = [startRelay(db, bus, log), startRelay(db, bus, log)]
  await eventually('one leads', async () => (await leaders()) === 1)
  // A new leader first sends the last events once more.
  await write(1, 100)
  await eventually('that is sent', async () => (await unsent()) === 0)
  let published = 0
  operator.nc.subscribe(SUBJECT, { callback: () => void published++ })
  await operator.settled()

  // Sent rows are marked up to half a second later: another leader would find them in between.
  for (let n = 0; n < 5; n++) {
    await write(1, 100)
    await eventually('it is sent', async () => (await unsent()) === 0)
  }

  await operator.settled()
  const ofOne = published
  for (const relay of relays) await relay.close()
  await bus.close()
  await operator.close()
  await db.close()
  expect(ofOne).toBe(5)
})

it('a relay that waits to lead the outbox opens no connection of its own', async () => {
  const log = createLogger('content', 'silent')
  const db = openDatabase(content.databaseUrl, 2, log)
  const bus = await connectBus('content', content.nats.urlFor('content'))
  const leading = startRelay(db, bus, log)
  await eventually('one leads', async () => (await leaders()) === 1)
  let [looks, connections] = [0, 0]
  const counted: Database = {
    ...db,
    read: (run) => {
      looks++
      return db.read(run)
    },
    connect: () => {
      connections++
      return db.connect()
    },
  }

  const waiting = startRelay(counted, bus, log)
  await eventually('it has looked a few times', async () => looks >= 4)

  expect(connections).toBe(0)
  await leading.close()
  await eventually('it leads', async () => connections === 1 && (await leaders()) === 1)
  await waiting.close()
  await bus.close()
  await db.close()
})

it('a relay says which session leads the outbox and hangs, and events are sent once that has ended', async () => {
  const logged: { msg: string; pid?: number }[] = []
  const hear = (line: string) => void logged.push(JSON.parse(line))
  const log = createLogger('content', 'warn', { write: hear })
  const db = openDatabase(content.databaseUrl, 2, log, STATEMENT_TIMEOUT_MS)
  const bus = await connectBus('content', content.nats.urlFor('content'))
  const relay = startRelay(db, bus, log)
  await eventually('it leads', async () => (await leaders()) === 1)
  // Other databases of the server have leaders of their own.
  const { rows } = await content.db.query(
    `SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = database
     WHERE locktype = 'advisory' AND datname = current_database()`,
  )
  const { pid } = rows[0]
  process.kill(pid, 'SIGSTOP')
  try {
    await eventually('it is said', async () =>
      logged.some((line) => line.msg.includes('hangs') && line.pid === pid),
    )
  } finally {
    process.kill(pid, 'SIGCONT')
  }

  await write(1, 100)
  await eventually('events are sent again', async () => (await unsent()) === 0)
  await relay.close()
  await bus.close()
  await db.close()
})

it('a relay that loses the race for the lead keeps no connection', async () => {
  const log = createLogger('content', 'silent')
  const db = openDatabase(content.databaseUrl, 1, log)
  const bus = await connectBus('content', content.nats.urlFor('content'))
  const leading = startRelay(db, bus, log)
  await eventually('one leads', async () => (await leaders()) === 1)
  let [opened, ended] = [0, 0]
  const blind: Database = {
    ...db,
    // As it is for a moment after a leader has gone: all who look find none.
    read: async () => [] as never,
    connect: async () => {
      const session = await db.connect()
      opened++
      return session.once('end', () => ended++)
    },
  }

  const losing = startRelay(blind, bus, log)
  await eventually('it has lost a few times', async () => opened >= 4)
  await losing.close()

  // PostgreSQL would end a session that is kept, but only after 15 seconds.
  await eventually('all are ended', async () => ended === opened, 10_000)
  await leading.close()
  await bus.close()
  await db.close()
})

it('a relay leads the outbox even while requests use all connections of the pool', async () => {
  const log = createLogger('content', 'silent')
  const db = openDatabase(content.databaseUrl, 1, log)
  const bus = await connectBus('content', content.nats.urlFor('content'))
  let end = () => {}
  const request = db.read(() => new Promise<void>((resolve) => (end = resolve)))

  const relay = startRelay(db, bus, log)
  await eventually('it leads', async () => (await leaders()) === 1)

  end()
  await request
  await relay.close()
  await bus.close()
  await db.close()
})

const MORE_THAN_A_STATEMENT = 20_001

/** Rows from before all others, sent so long ago that no bus lacks them. */
async function longSent(rows: number): Promise<void> {
  await content.db.query(
    `INSERT INTO outbox (seq, id, subject, event, sent_at) OVERRIDING SYSTEM VALUE
     SELECT -n, 'evt_old_' || n, $1, '{}', now() - interval '1 hour' FROM generate_series(1, $2) n`,
    [SUBJECT, rows],
  )
}

/** Runs a leader with connections of its own until it has sent all. */
async function leadOnce(until: () => Promise<boolean>): Promise<void> {
  const log = createLogger('content', 'silent')
  const db = openDatabase(content.databaseUrl, 1, log)
  const bus = await connectBus('content', content.nats.urlFor('content'))
  const relay = startRelay(db, bus, log)
  await eventually('it has sent all', until)
  await relay.close()
  await bus.close()
  await db.close()
}

async function inStream(): Promise<number> {
  const operator = await connectBus('content', content.nats.url)
  const { state } = await (await jetstreamManager(operator.nc)).streams.info(STREAMS.forum.name)
  await operator.close()
  return state.messages
}

/** Runs a relay that believes what the test says of its bus. */
async function leadOn(
  change: (bus: Bus) => Bus,
  databaseUrl = content.databaseUrl,
): Promise<() => Promise<void>> {
  const log = createLogger('content', 'silent')
  const db = openDatabase(databaseUrl, 1, log)
  const bus = await connectBus('content', content.nats.urlFor('content'))
  const relay = startRelay(db, change(bus), log)
  return async () => {
    await relay.close()
    await bus.close()
    await db.close()
  }
}

it('a relay leads the outbox of its forum while another leads that of another forum on the same server', async () => {
  const another = await createDatabase()
  await migrate(another)
  const stopAnother = await leadOn((bus) => bus, another)
  await eventually('the other outbox is led', async () => (await leaders(another)) === 1)

  const stop = await leadOn((bus) => bus)

  await eventually('this outbox is led, too', async () => (await leaders()) === 1)
  await stop()
  await stopAnother()
  await dropDatabase(another)
})

const DEEP = { recursive: true }

it('a leader sends again an event that the bus has lost, though it had not marked it as sent', async () => {
  let isThere = true
  let isNextTheLast = false
  const stop = await leadOn((bus) => ({
    ...bus,
    connected: () => isThere && bus.connected(),
    publish: async (...event) => {
      const published = await bus.publish(...event)
      if (isNextTheLast) isThere = false
      return published
    },
  }))
  await write(1, 100)
  await eventually('it is sent', async () => (await unsent()) === 0)
  await content.restartNats((dir) => cpSync(join(dir, 'jetstream'), join(dir, 'shorter'), DEEP))
  const before = await inStream()
  isNextTheLast = true
  await write(1, 100)
  await eventually('the bus has it', async () => !isThere)

  await content.nats.stop()
  rmSync(join(content.nats.dir, 'jetstream'), DEEP)
  cpSync(join(content.nats.dir, 'shorter'), join(content.nats.dir, 'jetstream'), DEEP)
  await content.db.query('UPDATE relay_streams SET last_seq = $2 WHERE name = $1', [
    STREAMS.forum.name,
    before + 1,
  ])
  await content.nats.startAgain()
  isNextTheLast = false
  isThere = true

  await eventually('the bus has it again', async () => (await inStream()) === before + 1)
  await stop()
})

async function lastSent(): Promise<string> {
  await eventually('all is sent', async () => (await unsent()) === 0)
  const { rows } = await content.db.query('SELECT id FROM outbox ORDER BY seq DESC LIMIT 1')
  return rows[0].id
}

it('a consumer gets the event that took the place of a lost one before the leader noticed that the bus was away', async () => {
  const stop = await leadOn((bus) => ({ ...bus, connected: () => true, watch: () => () => {} }))
  await write(1, 100)
  await lastSent()
  await content.restartNats((dir) => cpSync(messagesIn(dir), join(dir, 'before'), DEEP))
  await write(1, 100)
  const lost = await lastSent()
  expect(await idsRead(content.nats.url)).toContain(lost)

  await content.nats.stop()
  rmSync(messagesIn(content.nats.dir), DEEP)
  cpSync(join(content.nats.dir, 'before'), messagesIn(content.nats.dir), DEEP)
  await write(1, 100)
  await content.nats.startAgain()
  const next = await lastSent()

  await eventually('it gets the next event', async () =>
    (await idsRead(content.nats.url)).includes(next),
  )
  await stop()
})

/** As if the connection were lost at this point. */
async function failFirstUnmarking(): Promise<void> {
  await content.db.query(
    `CREATE SEQUENCE unmarkings;
     CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF nextval('unmarkings') = 1 THEN RAISE query_canceled; END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER first_unmarking BEFORE UPDATE ON outbox
       FOR EACH ROW WHEN (NEW.sent_at IS NULL) EXECUTE FUNCTION fail_once()`,
  )
}

it('a new leader sends again the events that the bus has lost since the former leader last checked it, though its first attempt fails', async () => {
  const allSent = async () => (await unsent()) === 0
  await write(1, 100)
  await leadOnce(allSent)
  await content.restartNats((dir) => cpSync(join(dir, 'jetstream'), join(dir, 'older'), DEEP))
  const before = await inStream()
  await write(3, 100)
  await leadOnce(allSent)
  await content.restartNats((dir) => {
    rmSync(join(dir, 'jetstream'), DEEP)
    cpSync(join(dir, 'older'), join(dir, 'jetstream'), DEEP)
  })
  // The state of a stream that was seen last may be five seconds old.
  await content.db.query('UPDATE relay_streams SET last_seq = $2 WHERE name = $1', [
    STREAMS.forum.name,
    before,
  ])
  await longSent(MORE_THAN_A_STATEMENT)
  // However long the power failure lasted.
  await content.db.query(`UPDATE outbox SET sent_at = sent_at - interval '1 hour'`)
  await failFirstUnmarking()

  await leadOnce(async () => (await unsent()) === 0 && (await inStream()) > before)

  expect(await inStream()).toBe(before + 3)
})
