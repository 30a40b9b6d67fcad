import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { ContentUnderTest } from '../testing/content-under-test.ts'
import { idsRead, messagesIn } from '../testing/forum-stream.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
})

afterAll(() => content.stop())

async function idsInOutbox(where: string): Promise<string[]> {
  const { rows } = await content.db.query(
    `SELECT id FROM outbox WHERE subject = 'forum.post.published' AND ${where} ORDER BY seq`,
  )
  return rows.map(({ id }) => id)
}

const DEEP = { recursive: true }

async function unsent(): Promise<number> {
  return (await idsInOutbox('sent_at IS NULL')).length
}

/** A loss that is found while events are sent is stored before they are marked. */
const allSent = () =>
  eventually('all are marked', async () => (await unsent()) === 0 && !(await isResending()))

async function isResending(): Promise<boolean> {
  const { rows } = await content.db.query(
    'SELECT 1 FROM relay_streams WHERE resend_after IS NOT NULL',
  )
  return rows.length > 0
}

async function write(...ids: string[]): Promise<void> {
  await content.db.query(
    `INSERT INTO outbox (id, subject, event)
     SELECT id, 'forum.post.published', '{}' FROM unnest($1::text[]) id`,
    [ids],
  )
}

/** Ids of the stored events about published posts. */
async function idsInStream(): Promise<string[]> {
  const operator = await connectBus('content', content.nats.url)
  const jsm = await jetstreamManager(operator.nc)
  const { name } = STREAMS.forum
  const { state } = await jsm.streams.info(name)
  const ids: string[] = []
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    const message = await jsm.streams.getMessage(name, { seq })
    ids.push(message?.header.get('Nats-Msg-Id') ?? '')
  }
  await operator.close()
  return ids
}

/**
 * Collects the ids of events about published posts that the bus carries from now on; returns how to
 * read them.
 */
async function idsOnTheBus(): Promise<() => Promise<string[]>> {
  const ids: string[] = []
  content.gateway.nc.subscribe('forum.post.published', {
    callback: (_, message) => {
      ids.push(message.headers?.get('Nats-Msg-Id') ?? '')
    },
  })
  await content.gateway.nc.flush()
  return async () => {
    // The bus forwards an event to others before it acknowledges it to content, and so before this
    // flush.
    await content.gateway.nc.flush()
    return ids
  }
}

it('the relay publishes each event once and in order, even if events are marked as sent later', async () => {
  const author = await content.register()
  const published = await idsOnTheBus()

  // One after the other: each is a batch of its own, published while earlier ones are unmarked.
  for (let n = 0; n < 10; n++) await content.post(author)
  // And many that wait together.
  await content.db.query(
    `INSERT INTO outbox (id, subject, event)
     SELECT 'together-' || n, 'forum.post.published', '{}' FROM generate_series(1, 100) n`,
  )

  await eventually(
    'all are marked',
    async () => (await idsInOutbox('sent_at IS NULL')).length === 0,
  )
  expect(await published()).toEqual(await idsInOutbox('true'))
})

it('the relay sees no loss of the bus if an event is sent again that the bus had before', async () => {
  await write('had-1', 'had-2')
  await allSent()
  const published = await idsOnTheBus()

  await content.db.query(`UPDATE outbox SET sent_at = NULL WHERE id = 'had-1'`)
  await allSent()
  // Events that are sent again go before this one.
  await write('had-3')
  await allSent()

  expect(await published()).toEqual(['had-1', 'had-3'])
})

it('the relay sends all kept events again to a recreated stream, even if it is longer than before', async () => {
  await write('anew')
  await allSent()
  const published = await idsOnTheBus()

  // Whenever the relay checks, the stream is another one, and only at first a shorter one.
  const operator = await connectBus('content', content.nats.url)
  const jsm = await jetstreamManager(operator.nc)
  const { config, state } = await jsm.streams.info(STREAMS.forum.name)
  await jsm.streams.delete(config.name)
  await jsm.streams.add(config)
  for (let n = 0; n <= state.last_seq; n++) {
    await operator.publish('forum.post.published', '{}', `in-the-new-stream-${n}`)
  }
  await operator.close()

  await eventually('it is sent again', async () => (await published()).includes('anew'))
  await allSent()
})

it('the relay sends the events that follow an event too large for the bus', async () => {
  await content.db.query(
    `INSERT INTO outbox (id, subject, event)
     VALUES ('evt_too_large', 'forum.post.published', repeat('x', 5000000))`,
  )

  const published = await idsOnTheBus()

  await content.post(await content.register())

  await eventually(
    'all are done with',
    async () => (await idsInOutbox('sent_at IS NULL')).length === 0,
  )
  const [tooLarge, ofThePost] = (await idsInOutbox('true')).slice(-2)
  expect([tooLarge, await published()]).toEqual(['evt_too_large', [ofThePost]])
})

/**
 * Rows of one stream, the first and the last event of all among them, each so far from the next
 * that no statement should touch many of them.
 */
const KEPT = 30

it('the relay sends kept events again only to the stream that was lost, a few rows in each statement', async () => {
  const operator = await connectBus('content', content.nats.url)
  const jsm = await jetstreamManager(operator.nc)
  const { name } = STREAMS.alerts
  await write('in another stream')
  await allSent()
  await content.db.query(
    `INSERT INTO outbox (seq, id, subject, event, sent_at) OVERRIDING SYSTEM VALUE
     SELECT 10000 * n, 'evt_kept_' || n, 'alert.raised', '{}', now()
     FROM generate_series(0, $1 - 1) n`,
    [KEPT],
  )
  const others = await idsOnTheBus()
  await refuseToUnmarkMoreThan(KEPT / 3)

  await jsm.streams.delete(name)

  await eventually('the stream has them', async () => {
    const info = await jsm.streams.info(name)
    return info.state.messages >= KEPT
  })
  expect([await others(), await isResending()]).toEqual([[], false])
  await content.db.query('DROP FUNCTION refuse_many CASCADE')
  await operator.close()
})

it('the relay sends kept events again even if it ends while it stores the loss of a stream', async () => {
  const operator = await connectBus('content', content.nats.url)
  const jsm = await jetstreamManager(operator.nc)
  const { name } = STREAMS.alerts
  await failFirstNoteOfALoss()

  await jsm.streams.delete(name)
  // The relay checks a bus that is back at once.
  await content.restartNats(() => {})

  await eventually('the stream has them', async () => {
    const info = await jsm.streams.info(name)
    return info.state.messages >= KEPT
  })
  await content.db.query('DROP FUNCTION fail_once CASCADE; DROP SEQUENCE losses')
  await operator.close()
})

it('the relay recreates a lost stream of dead letters', async () => {
  const operator = await connectBus('content', content.nats.url)
  const jsm = await jetstreamManager(operator.nc)
  const { name } = STREAMS.dead

  await jsm.streams.delete(name)

  await eventually('it is there', () => jsm.streams.info(name))
  await operator.close()
})

it('the relay sends again the events that a bus has lost by returning to an older state', async () => {
  const author = await content.register()
  const post = async (times: number) => {
    for (let n = 0; n < times; n++) await content.post(author)
    await eventually('all are sent', async () => (await unsent()) === 0)
  }
  await post(2)
  await content.restartNats((dir) => cpSync(join(dir, 'jetstream'), join(dir, 'older'), DEEP))
  await eventually('the bus is back', () => content.register())
  await post(3)

  await content.restartNats((dir) => {
    rmSync(join(dir, 'jetstream'), DEEP)
    cpSync(join(dir, 'older'), join(dir, 'jetstream'), DEEP)
  })
  await eventually('the bus is back', () => content.register())
  // More events than were lost: by its length alone, the stream seems to have only grown.
  await post(6)

  const all = await idsInOutbox("id <> 'evt_too_large'")
  await eventually('the stream has all of them', async () => {
    const kept = new Set(await idsInStream())
    return all.every((id) => kept.has(id))
  })
})

describe('a consumer of a bus that is back', () => {
  it('gets the next event if the stream has become empty', async () => {
    await write('read 1', 'read 2', 'read 3')
    await allSent()
    expect(await idsRead(content.nats.url)).toContain('read 3')

    await content.restartNats((dir) => rmSync(messagesIn(dir), DEEP))
    // As after a day: the outbox keeps nothing that could take the places of the lost events.
    await content.db.query('DELETE FROM outbox')
    await eventually('the bus is back', () => content.register())
    await write('after')

    await eventually('it gets the next event', async () =>
      (await idsRead(content.nats.url)).includes('after'),
    )
  })

  it('gets only the next event if it had read all and nothing is lost', async () => {
    await write('read')
    await allSent()
    expect(await idsRead(content.nats.url)).toContain('read')

    // The relay checks a bus that is back before it sends anything.
    await content.restartNats(() => {})
    await write('not read')
    await allSent()

    expect(await idsRead(content.nats.url)).toEqual(['not read'])
  })

  it('gets the next event if that takes the place of the only lost one', async () => {
    await content.restartNats((dir) => cpSync(messagesIn(dir), join(dir, 'before'), DEEP))
    await write('lost')
    await allSent()
    expect(await idsRead(content.nats.url)).toContain('lost')

    await content.nats.stop()
    rmSync(messagesIn(content.nats.dir), DEEP)
    cpSync(join(content.nats.dir, 'before'), messagesIn(content.nats.dir), DEEP)
    await write('in its place')
    await content.nats.startAgain()

    await eventually('it gets the next event', async () =>
      (await idsRead(content.nats.url)).includes('in its place'),
    )
  })
})

it.each([
  ['the next has taken its place', async () => {}],
  ['another connection leads by then', dropLeader],
  ['the loss is stored only at the second attempt', failFirstNoteOfALoss],
])('the relay sends again the one event that a bus has lost, though %s', async (why, meanwhile) => {
  const [kept, lost, next] = ['kept', 'lost', 'next'].map((name) => `${name}: ${why}`)
  await write(kept as string)
  await allSent()
  await content.restartNats((dir) => cpSync(join(dir, 'jetstream'), join(dir, 'kept'), DEEP))
  const { length } = await idsInStream()
  await write(lost as string)
  await allSent()
  await content.nats.stop()
  await meanwhile()
  rmSync(join(content.nats.dir, 'jetstream'), DEEP)
  cpSync(join(content.nats.dir, 'kept'), join(content.nats.dir, 'jetstream'), DEEP)
  // The stream state that was seen last may be five seconds old. The next check finds as many
  // events.
  await content.db.query('UPDATE relay_streams SET last_seq = $2 WHERE name = $1', [
    STREAMS.forum.name,
    length,
  ])
  await write(next as string)

  await content.nats.startAgain()

  const isInStream = async (id: unknown) => (await idsInStream()).includes(id as string)
  await eventually('the stream has the next', () => isInStream(next))
  await write(`later: ${why}`)
  await eventually('the stream has the lost one', () => isInStream(lost))
})

/** Resolves when the relay has just noted the end of the stream: its next check is seconds away. */
async function hasChecked(): Promise<void> {
  const { length } = await idsInStream()
  await eventually('the relay has noted the end of the stream', async () => {
    const { rows } = await content.db.query('SELECT last_seq FROM relay_streams WHERE name = $1', [
      STREAMS.forum.name,
    ])
    return Number(rows[0].last_seq) === length
  })
}

it('the relay sends again the last event, which a bus has lost, even if no other follows', async () => {
  await write('before the last')
  await allSent()
  await content.restartNats((dir) => cpSync(join(dir, 'jetstream'), join(dir, 'short'), DEEP))
  await write('the last')
  await allSent()
  await hasChecked()

  await content.restartNats((dir) => {
    rmSync(join(dir, 'jetstream'), DEEP)
    cpSync(join(dir, 'short'), join(dir, 'jetstream'), DEEP)
  })

  await eventually('the stream has it', async () => (await idsInStream()).includes('the last'))
})

it('the relay recreates missing streams of a returned bus before it sends waiting events', async () => {
  await write('before')
  await allSent()
  await hasChecked()
  await content.nats.stop()
  await write('waited')
  // A leader that was sending when the bus went away ends because of that.
  const leader = await eventually('one leads and knows that the bus is away', leaderAtRest)
  rmSync(join(content.nats.dir, 'jetstream'), DEEP)

  await content.nats.startAgain()
  await allSent()

  // An event that no stream takes ends the leader.
  expect([await leaderPid(), await idsInStream()]).toEqual([
    leader,
    expect.arrayContaining(['waited']),
  ])
})

/** Ends the leader's connection, as a restart of PostgreSQL does, and waits for the next leader. */
async function dropLeader(): Promise<void> {
  const before = await leaderPid()
  await content.db.query('SELECT pg_terminate_backend($1)', [before])
  await eventually('another leads', async () => ![undefined, before].includes(await leaderPid()))
}

/**
 * Process id of the connection that leads, if any: other advisory locks have numbers of 64 bits.
 */
async function leaderPid(): Promise<number | undefined> {
  return (await readLeader())?.pid
}

/** The leader's process id while it asks PostgreSQL only to keep the lead. */
async function leaderAtRest(): Promise<number | undefined> {
  const leader = await readLeader()
  return leader?.asked === 'SELECT 1' ? leader.pid : undefined
}

async function readLeader(): Promise<{ pid: number; asked: string } | undefined> {
  const { rows } = await content.db.query(
    `SELECT pid, query AS asked FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND datname = current_database() AND classid = 0 AND granted`,
  )
  return rows[0]
}

/** Stands for the time limit, which a statement reaches that touches a million rows. */
async function refuseToUnmarkMoreThan(rows: number): Promise<void> {
  await content.db.query(
    `CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF (SELECT count(*) FROM changed WHERE sent_at IS NULL) > ${rows} THEN
         RAISE query_canceled;
       END IF;
       RETURN NULL;
     END $$;
     CREATE TRIGGER few_at_once AFTER UPDATE ON outbox REFERENCING NEW TABLE AS changed
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`,
  )
}

/** As if the process were killed at this point. */
async function failFirstNoteOfALoss(): Promise<void> {
  await content.db.query(
    `CREATE SEQUENCE losses;
     CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF nextval('losses') = 1 THEN RAISE query_canceled; END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER first_loss BEFORE UPDATE ON relay_streams
       FOR EACH ROW WHEN (NEW.resend_after IS NOT NULL AND OLD.resend_after IS NULL)
       EXECUTE FUNCTION fail_once()`,
  )
}
