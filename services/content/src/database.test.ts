import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { tuneEngine } from '@stoa/shared/process/engine.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import pg from 'pg'
import { startPostgres, UNSAFE_BUT_FAST } from '../../../deploy/local/servers/postgres.mjs'
import { eventually } from '../../../tests/support/eventually.ts'
import { oldBytes } from '../../../tests/support/heap.ts'
import { lineTo } from '../../../tests/support/line-to.ts'
import { signal } from '../../../tests/support/signal.ts'
import { type Database, openDatabase } from './database.ts'
import { CommitLost } from './database-errors.ts'
import { ContentUnderTest } from './testing/content-under-test.ts'
import { somebodyWaitsFor } from './testing/table-locks.ts'
import type { Query, Transaction } from './transaction.ts'

let content: ContentUnderTest
/** One connection: each test runs its statements twice, unprepared and prepared. */
let db: Database

beforeAll(async () => {
  content = await ContentUnderTest.start()
  await content.db.query('CREATE TABLE numbers (n int PRIMARY KEY)')
  db = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))
})

beforeEach(() => content.db.query('TRUNCATE numbers'))

afterAll(async () => {
  await db.close()
  await content.stop()
})

function add(tx: Transaction, n: number): void {
  tx.send('add', 'INSERT INTO numbers VALUES ($1)', [n])
}

function lock(tx: Transaction): void {
  tx.send('lock', 'SELECT n FROM numbers ORDER BY n FOR UPDATE')
}

async function stored(): Promise<number[]> {
  return (await content.db.query('SELECT n FROM numbers ORDER BY n')).rows.map(({ n }) => n)
}

it('a transaction runs its statements in order, with sent statements before a later awaited statement', async () => {
  const seen: unknown[] = []
  for (const n of [1, 2]) {
    await db.transaction(async (tx) => {
      add(tx, n)
      lock(tx)
      add(tx, -n)
      seen.push(await tx.rows('list', 'SELECT n FROM numbers WHERE abs(n) = $1 ORDER BY n', [n]))
      add(tx, n * 10)
    })
  }

  expect(seen).toEqual([
    [{ n: -1 }, { n: 1 }],
    [{ n: -2 }, { n: 2 }],
  ])
  expect(await stored()).toEqual([-2, -1, 1, 2, 10, 20])
})

it('a transaction fails with the error of a statement that was sent, and stores nothing', async () => {
  const twice = (awaits: boolean) =>
    db.transaction(async (tx) => {
      add(tx, 1)
      add(tx, 1)
      if (awaits) await tx.rows('list-all', 'SELECT n FROM numbers')
      lock(tx)
    })

  for (const awaits of [true, false, true, false]) {
    await expect(twice(awaits)).rejects.toMatchObject({ code: '23505' })
    expect(await stored()).toEqual([])
  }
  await db.transaction(async (tx) => add(tx, 7))

  expect(await stored()).toEqual([7])
})

it('prepared statements go on working after a migration has changed their result columns', async () => {
  await content.db.query('CREATE TABLE widened (n int)')
  await content.db.query('INSERT INTO widened VALUES (1)')
  const read = () => db.read((query) => query.rows('all-of-it', 'SELECT * FROM widened'))
  const write = () =>
    db.transaction(async (tx) => {
      tx.send('add-nothing', 'INSERT INTO numbers SELECT 1 WHERE false RETURNING *')
      return tx.rows('lock-all-of-it', 'SELECT * FROM widened FOR UPDATE')
    })
  for (const ask of [read, read, write, write]) expect(await ask()).toEqual([{ n: 1 }])

  await content.db.query('ALTER TABLE widened ADD COLUMN m int')
  await content.db.query('ALTER TABLE numbers ADD COLUMN m int')

  for (const ask of [write, read]) expect(await ask()).toEqual([{ n: 1, m: null }])
  await content.db.query('ALTER TABLE numbers DROP COLUMN m')
  for (const ask of [read, write]) expect(await ask()).toEqual([{ n: 1, m: null }])
})

it('a connection keeps 150 plans of a family of statements, runs further ones unprepared, and keeps other plans', async () => {
  const own = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))
  const kept = () =>
    own.read((query) =>
      query.rows(
        'kept',
        `SELECT count(*) FILTER (WHERE name LIKE 'sum:%') AS sums,
           count(*) FILTER (WHERE name IN ('one-more', 'another')) AS others
         FROM pg_prepared_statements`,
      ),
    )
  await kept()

  for (let n = 0; n < 160; n++) {
    const text = `SELECT $1::int + ${n} AS sum`
    expect(await own.read((query) => query.rows(`sum:${n}`, text, [1]))).toEqual([{ sum: n + 1 }])
  }
  await own.transaction(async (tx) => {
    tx.send('one-more', 'INSERT INTO numbers VALUES ($1)', [7])
    await tx.rows('another', 'SELECT n FROM numbers')
  })

  expect(await kept()).toEqual([{ sums: 150, others: 2 }])
  expect(await stored()).toEqual([7])
  await own.close()
})

it('a read is repeated if it and a migration deadlock', async () => {
  const migration = new pg.Client({ connectionString: content.databaseUrl })
  await migration.connect()
  await migration.query('CREATE TABLE others (n int)')
  // The reader is the one that notices the deadlock.
  await migration.query(`SET deadlock_timeout = '30s'`)
  await migration.query('BEGIN')
  await migration.query('LOCK TABLE others')

  const reading = db.read((query) => query.rows('two', 'SELECT FROM numbers, others'))
  await somebodyWaitsFor('others', migration)
  await migration.query('LOCK TABLE numbers')
  await migration.query('COMMIT')

  expect(await reading).toEqual([])
  await migration.end()
})

it('a transaction fails with the first error of statements awaited together, in whatever order they settle', async () => {
  const divided = async (tx: Transaction) => {
    const rows = await tx.rows('divide', 'SELECT 1 / n AS n FROM (VALUES (0)) AS zero (n)')
    return rows
  }
  const both = () =>
    db.transaction(async (tx) => {
      await Promise.all([Promise.resolve(divided(tx)).then(), tx.rows('one', 'SELECT 1')])
    })

  for (const _ of [1, 2, 3]) await expect(both()).rejects.toMatchObject({ code: '22012' })
})

it.each(['53100', '53200', '58030', '25P04'])(
  'a transaction fails as unavailable if the server is out of resources or time: %s',
  async (state) => {
    const failing = db.transaction((tx) =>
      tx.rows(`fail-${state}`, `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`),
    )

    await expect(failing).rejects.toMatchObject({ code: 'unavailable' })
  },
)

it.each(['40P01', '40001'])(
  'a transaction that conflicts with others is tried five times, and then fails as unavailable: %s',
  async (state) => {
    let tried = 0

    const failing = db.transaction((tx) => {
      tried++
      const text = `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`
      return tx.rows(`fail-${state}`, text)
    })

    await expect(failing).rejects.toMatchObject({
      code: 'unavailable',
      details: { reason: 'held' },
    })
    expect(tried).toBe(5)
  },
)

it('a connection has its own isolation, date style and idle timeout, whatever the defaults of the database are', async () => {
  const { pathname } = new URL(content.databaseUrl)
  const name = pathname.slice(1)
  await onceConnected(
    `ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read';
     ALTER DATABASE ${name} SET datestyle = 'German';
     ALTER DATABASE ${name} SET idle_session_timeout = '100ms'`,
  )
  const own = openDatabase(content.databaseUrl, 1, createLogger('content', 'silent'))
  const session = () =>
    own.read((query) => query.rows<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS pid'))

  const seen = await own.transaction(async (tx) => {
    await tx.rows('list-all', 'SELECT n FROM numbers')
    await content.db.query('INSERT INTO numbers VALUES (9)')
    return tx.rows('list-all', 'SELECT n FROM numbers')
  })
  const [time] = await own.read((query) =>
    query.rows<{ at: number }>('time', `SELECT '2026-01-31T12:00:00.123Z'::timestamptz AS at`),
  )
  const opened = await session()
  await eventually('the session was ended, or has rested for longer than it might', async () => {
    const { rows } = await content.db.query(
      `SELECT FROM pg_stat_activity
       WHERE pid = $1 AND now() - state_change < interval '500 ms'`,
      [opened[0]?.pid],
    )
    return rows.length === 0
  })

  expect(time).toEqual({ at: Date.parse('2026-01-31T12:00:00.123Z') })
  expect([seen, await session()]).toEqual([[{ n: 9 }], opened])
  await own.close()
  await onceConnected(
    `ALTER DATABASE ${name} RESET default_transaction_isolation;
     ALTER DATABASE ${name} RESET datestyle;
     ALTER DATABASE ${name} RESET idle_session_timeout`,
  )
})

/** Sets what new sessions may do; present sessions keep what they have. */
async function makeReadOnly(value: 'on' | 'off'): Promise<void> {
  const { pathname } = new URL(content.databaseUrl)
  await onceConnected(
    `BEGIN READ WRITE;
     ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = ${value};
     COMMIT`,
  )
}

/** Not through the pool of the tests, whose connections live longer. */
async function onceConnected(statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: content.databaseUrl })
  await client.connect()
  await client.query(statements)
  await client.end()
}

it('a pool that was connected to a standby writes again as soon as a new connection can', async () => {
  await makeReadOnly('on')
  const led = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))
  try {
    expect(await led.ping()).toBe('read-only')
    const refused = { code: 'unavailable', details: { retry_after_seconds: expect.any(Number) } }
    await expect(led.transaction(async (tx) => add(tx, 1))).rejects.toMatchObject(refused)

    await makeReadOnly('off')

    await led.transaction(async (tx) => add(tx, 2))
    expect(await led.ping()).toBe('writable')
    expect(await stored()).toEqual([2])
  } finally {
    await makeReadOnly('off')
    await led.close()
  }
})

it('a pool does not open a connection for each write that a server which only reads refuses', async () => {
  await makeReadOnly('on')
  const led = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))
  const pids = new Set<number>()
  const write = () =>
    led.transaction(async (tx) => {
      const [own] = await tx.rows<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS pid')
      if (own) pids.add(own.pid)
      add(tx, 1)
    })
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now())
  try {
    for (let n = 0; n < 5; n++) await expect(write()).rejects.toThrow('unavailable')

    expect(pids.size).toBe(2)
  } finally {
    clock.mockRestore()
    await makeReadOnly('off')
    await led.close()
  }
})

it.each([
  ['ten seconds, where whoever opens it does not say', undefined, '10s'],
  ['as long as whoever opens it says', 600_000, '10min'],
])(
  'a connection gives a statement %s, and a lock two seconds, or five in a transaction',
  async (_, limitMs, limit) => {
    const own = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'), limitMs)
    const limits = (query: Query) =>
      query.rows(
        'limits',
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
      )

    const seen = [await own.read(limits), await own.transaction(limits), await own.read(limits)]
    await own.close()

    const read = [{ statement: limit, lock: '2s' }]
    expect(seen).toEqual([read, [{ statement: limit, lock: '5s' }], read])
  },
)

it('a transaction gives all locks together five seconds, but each of them one', async () => {
  const now = performance.now()
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now)
  const limitAt = (tx: Query, ms: number) => {
    clock.mockReturnValue(now + ms)
    return tx.rows<{ ms: number }>(
      'lock-limit',
      `SELECT setting::int AS ms FROM pg_settings WHERE name = 'lock_timeout'`,
    )
  }
  try {
    const limits = await db.transaction(async (tx) => {
      const seen = []
      for (const ms of [0, 1_000, 2_500, 4_800, 30_000]) seen.push(...(await limitAt(tx, ms)))
      return seen.map(({ ms }) => ms)
    })

    expect(limits).toEqual([5_000, 4_000, 2_500, 1_000, 1_000])
  } finally {
    clock.mockRestore()
  }
})

describe('a pool of connections, while somebody has locked a table,', () => {
  let locked: Database
  let release: () => Promise<void>

  beforeEach(async () => {
    locked = openDatabase(content.databaseUrl, 6, createLogger('content', 'silent'))
    release = await content.hold('LOCK TABLE numbers')
  })

  afterEach(async () => {
    await release()
    await locked.close()
  })

  /** What a caller chooses is part of the name of a statement, after the colon. */
  const readLocked = (chosen = 0) =>
    locked.read((query) => query.rows(`list:${chosen}`, 'SELECT n FROM numbers WHERE n = 1'))
  const readOther = () => locked.read((query) => query.rows('one', 'SELECT 1 AS one'))
  const write = () => locked.transaction(async (tx) => add(tx, 1))
  const held = { code: 'unavailable', details: { reason: 'held' } }

  it('reads other tables, however many reads wait for the lock, and is well once the lock is released', async () => {
    const first = Array.from({ length: 5 }, () => expect(readLocked()).rejects.toMatchObject(held))
    await Promise.all(first)

    let waits = 0
    const later = Array.from({ length: 30 }, (_, n) => {
      waits++
      return expect(readLocked(n).finally(() => waits--)).rejects.toMatchObject(held)
    })
    expect(await readOther()).toEqual([{ one: 1 }])
    expect(waits).toBe(1)
    expect(await locked.ping()).toBe('busy')
    await Promise.all(later)

    await release()
    expect(await readLocked()).toEqual([])
    expect(await locked.ping()).toBe('writable')
    release = async () => {}
  })

  it('reads other tables, and not on a connection on which a statement still waits for the lock', async () => {
    await expect(readLocked()).rejects.toMatchObject(held)
    const both = locked.read((query) =>
      Promise.all(
        ['list:one', 'list:two'].map((name) =>
          query.rows(name, `SELECT n AS "${name}" FROM numbers`),
        ),
      ),
    )
    await expect(both).rejects.toMatchObject(held)

    expect(await readOther()).toEqual([{ one: 1 }])
    expect(await content.lockWaits()).toBe(1)
  })

  it('reads other tables, however many transactions wait for the lock, and refuses the transactions in time', async () => {
    const writing = Array.from({ length: 12 }, () => write().catch((error: unknown) => error))
    await eventually('all that may wait do', async () => (await content.lockWaits()) === 4)

    expect(await readOther()).toEqual([{ one: 1 }])
    expect(locked.waiting()).toBe(8)
    const refused = (await Promise.all(writing)) as AppError[]

    expect(refused.map(({ code }) => code)).toEqual(Array(12).fill('unavailable'))
    expect(refused.filter(({ details }) => details.reason === 'held')).toHaveLength(4)
    expect(refused.filter(({ details }) => details.reason === 'busy')).toHaveLength(8)
  })

  it('reads other tables while transactions wait for the lock, even if it has only two connections', async () => {
    const small = openDatabase(content.databaseUrl, 2, createLogger('content', 'silent'))
    const writing = Array.from({ length: 2 }, () =>
      small.transaction(async (tx) => add(tx, 1)).catch((error: unknown) => error),
    )
    await eventually('all that may wait do', async () => (await content.lockWaits()) === 1)

    expect(await small.read((query) => query.rows('one', 'SELECT 1 AS one'))).toEqual([{ one: 1 }])
    expect(small.waiting()).toBe(1)
    await Promise.all(writing)
    await small.close()
  })

  it('reports itself as busy and not as away if waiting statements use all connections of reads', async () => {
    const first = Array.from({ length: 5 }, () => expect(readLocked()).rejects.toMatchObject(held))
    await eventually('they have', async () => (await content.lockWaits()) === 5)

    expect(await locked.ping()).toBe('busy')
    await Promise.all(first)
  })
})

describe('a pool of connections, while a kind of read is slow,', () => {
  const open = (statementMs: number) =>
    openDatabase(content.databaseUrl, 6, createLogger('content', 'silent'), statementMs)
  const readSlowly = (slow: Database) =>
    slow.read((query) => query.rows('slow', 'SELECT pg_sleep(60)'))

  it('writes, however many slow reads there are, and reports itself as busy', async () => {
    const slow = open(4_000)
    let ended = 0
    const reading = Array.from({ length: 20 }, () => readSlowly(slow).catch(() => ended++))

    await slow.transaction(async (tx) => add(tx, 1))

    expect(ended).toBe(0)
    expect(slow.waiting()).toBe(15)
    expect(await slow.ping()).toBe('busy')
    await Promise.all(reading)
    await slow.close()
  })

  it('reads other tables once the first slow reads were ended', async () => {
    const slow = open(1_000)
    await Promise.allSettled(Array.from({ length: 5 }, () => readSlowly(slow)))

    let waits = 0
    const later = Array.from({ length: 20 }, () => {
      waits++
      return readSlowly(slow).catch(() => waits--)
    })
    expect(await slow.read((query) => query.rows('one', 'SELECT 1 AS one'))).toEqual([{ one: 1 }])

    expect(waits).toBe(1)
    await Promise.all(later)
    await slow.close()
  })
})

it('content reports its database as degraded while the database accepts no writes', async () => {
  const database = async () => (await content.ask(serviceHealth.content, {})).data.parts.database
  await makeReadOnly('on')
  try {
    await onceConnected(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'stoa-content' AND datname = current_database()`,
    )

    await eventually('it is plainer', async () => (await database()) === 'degraded')
    await expect(content.register()).rejects.toMatchObject({ code: 'unavailable' })
  } finally {
    await makeReadOnly('off')
  }
  await eventually('it takes writes', () => content.register())
  await eventually('it is well', async () => (await database()) === 'ok')
})

it('a transaction that throws between its statements stores nothing', async () => {
  for (const n of [1, 2]) {
    const failing = db.transaction(async (tx) => {
      add(tx, n)
      await tx.rows('list-all', 'SELECT n FROM numbers')
      add(tx, n * 10)
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
  }

  expect(await stored()).toEqual([])
})

it('a transaction runs its after-commit callbacks only if it was committed', async () => {
  const ran: string[] = []
  for (const _ of [1, 2]) {
    const failing = db.transaction(async (tx) => {
      tx.afterCommit(() => ran.push('failed'))
      add(tx, 1)
      add(tx, 1)
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
  }
  await db.transaction(async (tx) => {
    tx.afterCommit(() => ran.push('committed'))
    add(tx, 1)
  })

  expect(ran).toEqual(['committed'])
})

it('a committed transaction answers and runs all after-commit callbacks, even if one of the callbacks throws', async () => {
  const quiet = openDatabase(content.databaseUrl, 1, createLogger('content', 'silent'))
  const ran: string[] = []

  const result = await quiet.transaction(async (tx) => {
    tx.afterCommit(() => {
      throw new Error('cannot be told')
    })
    tx.afterCommit(() => ran.push('told'))
    add(tx, 1)
    return 'stored'
  })
  await quiet.close()

  expect([result, ran, await stored()]).toEqual(['stored', ['told'], [1]])
})

it('the pool goes on after PostgreSQL closes a connection between two statements of a transaction', async () => {
  const cutOff = db.transaction(async (tx) => {
    const [own] = await tx.rows<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS pid')
    await content.db.query('SELECT pg_terminate_backend($1, 5000)', [own?.pid])
    await eventually('the connection is gone', async () => {
      const { rows } = await content.db.query('SELECT FROM pg_stat_activity WHERE pid = $1', [
        own?.pid,
      ])
      return rows.length === 0
    })
    await tx.rows('list-all', 'SELECT n FROM numbers')
  })

  await expect(cutOff).rejects.toMatchObject({ code: 'unavailable' })
  await db.transaction(async (tx) => add(tx, 8))
  expect(await stored()).toEqual([8])
})

it('the pool does not use a connection again after its socket failed', async () => {
  const pid = () => db.read((query) => query.rows('pid', 'SELECT pg_backend_pid() AS pid'))
  const before = await pid()

  const failing = db.read(async () => {
    throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  })

  await expect(failing).rejects.toMatchObject({ code: 'unavailable' })
  expect(await pid()).not.toEqual(before)
})

it('the pool goes on using a connection on which a statement or the request was refused', async () => {
  const pid = () => db.read((query) => query.rows('pid', 'SELECT pg_backend_pid() AS pid'))
  const before = await pid()

  const twice = db.transaction(async (tx) => {
    add(tx, 1)
    add(tx, 1)
  })
  await expect(twice).rejects.toMatchObject({ code: '23505' })
  const refused = db.transaction(async (tx) => {
    add(tx, 1)
    throw new AppError('not_found')
  })
  await expect(refused).rejects.toMatchObject({ code: 'not_found' })

  expect(await pid()).toEqual(before)
})

it('the pool gives up on a server that was lost silently, and goes on with a new connection', async () => {
  const line = await lineTo(content.databaseUrl)
  // A statement may take two seconds, so that its loss is soon clear.
  const far = openDatabase(line.url, 3, createLogger('content', 'error'), 2_000)
  await Promise.all([far.ping(), far.ping()])

  line.lose()
  const asked = [
    far.read((query) => query.rows('list-all', 'SELECT n FROM numbers')),
    far.transaction(async (tx) => {
      add(tx, 1)
      await tx.rows('list-all', 'SELECT n FROM numbers')
    }),
  ]

  for (const one of await Promise.allSettled(asked)) {
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    // No transaction had come to its COMMIT yet.
    expect((one as PromiseRejectedResult).reason.cause).not.toBeInstanceOf(CommitLost)
  }
  await far.transaction(async (tx) => add(tx, 2))
  expect(await stored()).toEqual([2])
  await far.close()
  await line.close()
})

it('connections that are cut end what was asked on them and waits for them, and nothing more is asked', async () => {
  const line = await lineTo(content.databaseUrl)
  const far = openDatabase(line.url, 3, createLogger('content', 'silent'))
  const session = await far.connect()
  await Promise.all([far.ping(), far.ping()])
  line.hold()
  const asked = [
    session.query('SELECT 1'),
    ...Array.from({ length: 4 }, () =>
      far.read((query) => query.rows('list-all', 'SELECT n FROM numbers')),
    ),
    far.transaction(async (tx) => add(tx, 1)),
  ]

  far.cut()

  const ended = await Promise.allSettled(asked)
  expect(ended.map(({ status }) => status)).toEqual(Array(6).fill('rejected'))
  line.release()
  const read = far.read((query) => query.rows('list-all', 'SELECT n FROM numbers'))
  await expect(read).rejects.toMatchObject({ code: 'unavailable' })
  await expect(far.connect()).rejects.toThrow('Connection terminated')
  expect(await stored()).toEqual([])
  await far.close()
  await line.close()
})

it('a transaction fails with CommitLost if the server is lost before its COMMIT is answered', async () => {
  const line = await lineTo(content.databaseUrl)
  const far = openDatabase(line.url, 1, createLogger('content', 'error'))

  const writing = far.transaction(async (tx) => {
    add(tx, 1)
    await tx.rows('list-all', 'SELECT n FROM numbers')
    line.loseAnswers()
  })
  const failed = expect(writing).rejects.toMatchObject({
    code: 'unavailable',
    cause: expect.any(CommitLost),
  })
  await eventually('it is stored', async () => (await stored()).length === 1)
  await line.close()

  await failed
  await far.close()
})

it('rows that were read are freed by the collections of young garbage', async () => {
  tuneEngine()
  const read = (times: number) =>
    db.read(async (query) => {
      for (let i = 0; i < times; i++) {
        await query.rows('texts', "SELECT repeat('x', 2000) AS text FROM generate_series(1, 8)")
      }
    })
  // V8 decides where rows are allocated after it has collected young garbage some times.
  await read(3_000)
  const before = oldBytes()
  await read(3_000)

  // The second round reads 48 MB, and without the flag all of it grows old. What earlier tests left
  // young may grow old in between, too.
  expect(oldBytes() - before).toBeLessThan(30_000_000)
})

it('the pool keeps its idle sessions for the next rush, longer than the driver would', async () => {
  const IDLE_MS = 11_000
  const rested = openDatabase(content.databaseUrl, 4, createLogger('content', 'error'))
  const session = () =>
    rested.read((query) =>
      query.rows<{ pid: number }>('session', 'SELECT pg_backend_pid() AS pid, pg_sleep(0.1)'),
    )
  const rush = async () => {
    const answers = await Promise.all([session(), session(), session()])
    return answers.flatMap((rows) => rows.map(({ pid }) => pid)).sort()
  }
  const opened = await rush()

  await eventually('none of three sessions was asked for some time', async () => {
    const { rows } = await content.db.query(
      `SELECT 1 FROM pg_stat_activity
          WHERE pid = ANY($1) AND now() - state_change > $2 * interval '1 ms'`,
      [opened, IDLE_MS],
    )
    return rows.length === 3
  })

  expect(await rush()).toEqual(opened)
  await rested.close()
})

describe('a pool of connections, while the server has no connection left to give,', () => {
  const LIMIT = 3
  let few: Database

  beforeEach(async () => {
    await content.db.query(`CREATE ROLE few LOGIN PASSWORD 'few' CONNECTION LIMIT ${LIMIT}`)
    const url = new URL(content.databaseUrl)
    url.username = url.password = 'few'
    few = openDatabase(url.href, 8, createLogger('content', 'silent'))
  })

  afterEach(async () => {
    await few.close()
    await eventually('the sessions have ended', async () => {
      const { rows } = await content.db.query(
        `SELECT 1 FROM pg_stat_activity WHERE usename = 'few'`,
      )
      return rows.length === 0
    })
    await content.db.query('DROP ROLE few')
  })

  /** Resolves once all connections are in use; they are for half a second. */
  async function takeAll(): Promise<Promise<void>[]> {
    const begun = Array.from({ length: LIMIT }, signal)
    const inUse = begun.map(({ give }) =>
      few.read(async (query) => {
        await query.rows('connected', 'SELECT 1')
        give()
        await query.rows('busy', 'SELECT pg_sleep(0.5)')
      }),
    )
    await Promise.all(begun.map(({ given }) => given))
    return inUse
  }

  it('answers reads once one of its own connections is free, and reports that it answers', async () => {
    const inUse = await takeAll()

    const reads = Array.from({ length: 20 }, () =>
      few.read((query) => query.rows('one', 'SELECT 1 AS one')),
    )

    expect(await few.answers()).toBe(true)
    expect(await Promise.all(reads)).toEqual(Array(20).fill([{ one: 1 }]))
    await Promise.all(inUse)
  })

  it('fails a read at once if other pools use all connections', async () => {
    const inUse = await takeAll()
    const url = new URL(content.databaseUrl)
    url.username = url.password = 'few'
    const late = openDatabase(url.href, 8, createLogger('content', 'silent'))

    expect(await late.answers()).toBe(false)
    await expect(late.read((query) => query.rows('one', 'SELECT 1'))).rejects.toMatchObject({
      code: 'unavailable',
    })

    await late.close()
    await Promise.all(inUse)
  })

  it('serves all reads that come before it has a connection, on the connections that it gets', async () => {
    // PostgreSQL refuses a role with too many connections late, and a full server only after the
    // password.
    const dir = join(tmpdir(), `stoa-postgres-${randomUUID()}`)
    const server = await startPostgres({
      dir,
      database: 'small',
      tuning: { ...UNSAFE_BUT_FAST, max_connections: '7', superuser_reserved_connections: '3' },
    })
    try {
      for (let times = 0; times < 5; times++) {
        const small = openDatabase(server.url, 16, createLogger('content', 'silent'))
        const reads = Array.from({ length: 40 }, () =>
          small.read((query) => query.rows('one', 'SELECT 1 AS one')),
        )
        const refused = (await Promise.allSettled(reads)).filter(
          ({ status }) => status === 'rejected',
        )
        await small.close()
        expect(refused).toEqual([])
      }
    } finally {
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    }
  })

  it('gives up one of its own connections for a session of another kind, and no more than one', async () => {
    const inUse = await takeAll()
    await Promise.all(inUse)
    await expect(few.connect()).rejects.toMatchObject({ code: '53300' })

    const session = await eventually('there is room', () => few.connect().catch(() => false))
    // The session has the place that was made, and no other is made for a while.
    await expect(few.connect()).rejects.toMatchObject({ code: '53300' })
    await expect(few.connect()).rejects.toMatchObject({ code: '53300' })
    const pids = () =>
      few.read((query) => query.rows('pid', 'SELECT pg_backend_pid(), pg_sleep(0.2)'))
    const used = (await Promise.all([pids(), pids()])).map(([row]) => row)
    expect(used[0]).not.toEqual(used[1])

    const one = () => few.read((query) => query.rows('one', 'SELECT 1 AS one'))
    expect(await Promise.all(Array.from({ length: 8 }, one))).toEqual(Array(8).fill([{ one: 1 }]))
    await (session as pg.Client).end()
  })
})
