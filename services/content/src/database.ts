import { afterMs } from '@stoa/shared/process/after-ms.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import pg from 'pg'
import { connectionsOf, withClient } from './connections.ts'
import { asAppError, hasNoneLeft, hasNoRoom } from './database-errors.ts'
import { heldReads } from './held-reads.ts'
import { inLine } from './in-line.ts'
import { findTableLocks, type TableLock } from './table-locks.ts'
import {
  inTransaction,
  LOCK_TIMEOUT_MS,
  type Plans,
  type Query,
  queryOn,
  type Transaction,
  withNewPlans,
  withRetries,
} from './transaction.ts'

const TIMESTAMPTZ = 1184
const INT8 = 20

/** Timestamps arrive as milliseconds since 1970 and 64-bit integers as numbers (all below 2^53). */
pg.types.setTypeParser(TIMESTAMPTZ, (text: string) => Date.parse(isoUtc(text)))
pg.types.setTypeParser(INT8, Number)

/** Every session is in UTC: PostgreSQL writes `2026-01-31 12:00:00.123+00` for `…T12:00:00.123Z`. */
function isoUtc(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
}

export interface Database {
  read<T>(run: (query: Query) => Promise<T>): Promise<T>
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * What the server takes: `full` is one that had no room for a transaction within the last minute, and
   * `busy` one that answers while statements take all connections of the pool, or a lock keeps some
   * from what they read. Throws where it does not answer, within a moment once it is connected.
   */
  ping(): Promise<'writable' | 'read-only' | 'full' | 'busy'>
  /** Which tables statements wait for, as a connection outside the pool tells. */
  tableLocks(): Promise<TableLock[]>
  /**
   * Whether the server answers on any connection within a moment; ends all that are idle and on which it
   * does not.
   */
  answers(): Promise<boolean>
  /**
   * A connection of one's own, outside the pool: for session locks. PostgreSQL ends it, and the locks
   * with it, when nothing is asked on it for 15 seconds.
   */
  connect(): Promise<pg.Client>
  /** How many wait for a connection of the pool. */
  waiting(): number
  close(): Promise<void>
}

const STATEMENT_TIMEOUT_MS = 10_000
/** Whoever asked for a read has given up a second later, and its connection is wanted by others. */
const READ_LOCK_TIMEOUT_MS = 2_000
/**
 * A server that is lost without a word never says that a statement took too long. Waited for so long behind
 * the server's own limit; the driver then gives the connection up, with all that was sent on it.
 */
const ANSWER_LATER_MS = 2_000
/** Whoever waits for an answer of content has given up by then. */
const PING_TIMEOUT_MS = 3_000
/** A pool that gives nothing for so long is busy, if the server answers otherwise. */
const BUSY_AFTER_MS = 300
/** What of the pool may wait for tables that are locked: the rest is for what needs none of those. */
const HELD_READS_SHARE = 1 / 6
const TRANSACTIONS_SHARE = 2 / 3
/** With the wait for a lock this is less than whoever creates or edits something waits. */
const TRANSACTION_WAITS_MS = 2_000
/** What is written meanwhile says nothing: small rows find room in pages that there are. */
const FULL_FOR_MS = 60_000
const CONNECT_TIMEOUT_MS = 3_000
/** What is idle for so long is asked for a sign of life, so that it is not lost unnoticed. */
const KEEP_ALIVE_AFTER_MS = 10_000
/**
 * A session that asks nothing for so long, or takes no answer, is ended by the server: its computer may
 * be gone without a word. Whoever waits for an answer gives up before that.
 */
const SESSION_SILENCE_MS = STATEMENT_TIMEOUT_MS + ANSWER_LATER_MS + 3_000
const SESSION_OPTIONS = [
  `-c lock_timeout=${LOCK_TIMEOUT_MS}`,
  `-c idle_session_timeout=${SESSION_SILENCE_MS}`,
  `-c tcp_user_timeout=${SESSION_SILENCE_MS}`,
].join(' ')

/**
 * Opens the pool: up to `max` connections, each when it is first needed. Connections are pipelined:
 * statements sent without awaiting each other share a round trip, and still run in order. A statement of
 * the pool may take `statementTimeoutMs`.
 */
export function openDatabase(
  url: string,
  max: number,
  log: Logger,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Database {
  const settings = connectionSettings(url, statementTimeoutMs)
  // Kept while idle: a new session reads the catalog and plans each statement before it answers.
  const pool = new pg.Pool({ ...settings, max, min: max, pipeline: true } as pg.PoolConfig)
  pool.on('error', (error) => log.warn({ err: error }, 'idle connection lost'))
  // The pool listens to idle connections only. One that is lost between two statements of a transaction
  // says so to nobody else, which would end the process; the next statement fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}))
  const plans: Plans = { age: 0 }
  let fullUntilMs = Number.NEGATIVE_INFINITY
  const { connect, letOneGo } = connectionsOf(pool, max)
  const held = heldReads(Math.ceil(max * HELD_READS_SHARE))
  const transactionsMax = Math.max(1, Math.floor(max * TRANSACTIONS_SHARE))
  const transactions = inLine(transactionsMax, TRANSACTION_WAITS_MS)
  const readOn = (query: Query): Query => ({
    rows: (name, text, values) => held.run(name, () => query.rows(name, text, values)),
  })
  const pingPool = async () => {
    const { rows } = await withClient(connect, (client) => client.query<{ mode: string }>(PING))
    if (rows[0]?.mode !== 'off') return 'read-only'
    if (performance.now() < fullUntilMs) return 'full'
    return held.any() ? 'busy' : 'writable'
  }
  const ping = async () => {
    const asked = pingPool()
    const isLate = await Promise.race([asked.then(() => false), late(BUSY_AFTER_MS)])
    if (!isLate) return asked
    const beside = withOwnClient(settings, (client) => client.query(PING))
    return Promise.any([asked, beside.then(() => 'busy' as const)]).catch(() => asked)
  }
  const pingOnAny = () => {
    const pings = Array.from({ length: Math.max(1, pool.idleCount) }, pingPool)
    return Promise.any(pings).then(
      () => true,
      () => false,
    )
  }
  return {
    read: (run) =>
      withRetries(() =>
        withNewPlans(plans, (age) =>
          withClient(connect, (client) => run(readOn(queryOn(client, age)))),
        ),
      ).catch((error: unknown) => {
        throw asAppError(error)
      }),
    transaction: async (run) => {
      const committing = withRetries(() =>
        withNewPlans(plans, (age) =>
          transactions.run(() => withClient(connect, (client) => inTransaction(client, age, run))),
        ),
      )
      const { result, afterCommit } = await committing.catch((error: unknown) => {
        if (hasNoRoom(error)) fullUntilMs = performance.now() + FULL_FOR_MS
        throw asAppError(error)
      })
      for (const task of afterCommit) runApart(task, log)
      return result
    },
    ping,
    tableLocks: () => withOwnClient(settings, findTableLocks),
    answers: pingOnAny,
    connect: async () => {
      const options = `${settings.options} ${SESSION_OPTIONS}`
      const client = new pg.Client({ ...settings, options, pipeline: true } as pg.ClientConfig)
      client.on('error', (error) => log.warn({ err: error }, 'session connection lost'))
      try {
        await client.connect()
      } catch (error) {
        // What leads the outbox would be kept out by what the pools keep, for as long as they do.
        if (hasNoneLeft(error)) await letOneGo()
        throw error
      }
      return client
    },
    waiting: () => pool.waitingCount + transactions.waiting(),
    close: () => pool.end(),
  }
}

const PING = {
  text: `SELECT current_setting('transaction_read_only') AS mode`,
  query_timeout: PING_TIMEOUT_MS,
}

function connectionSettings(url: string, statementTimeoutMs: number) {
  return {
    connectionString: url,
    application_name: 'stoa-content',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs + ANSWER_LATER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    // A server that others run may begin its sessions with anything else.
    options: [
      '-c timezone=UTC',
      '-c datestyle=ISO',
      // What waited for a lock has to see what its holder wrote.
      '-c default_transaction_isolation=read\\ committed',
      '-c idle_session_timeout=0',
      `-c statement_timeout=${statementTimeoutMs}`,
      `-c lock_timeout=${READ_LOCK_TIMEOUT_MS}`,
      '-c idle_in_transaction_session_timeout=5000',
      '-c jit=off',
      // Pages are short walks: starting helpers for one costs more than the walk.
      '-c max_parallel_workers_per_gather=0',
      '-c plan_cache_mode=force_generic_plan',
    ].join(' '),
  }
}

/** On a connection that is made for it, and ended. */
async function withOwnClient<T>(
  settings: pg.ClientConfig,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(settings)
  client.on('error', () => {})
  try {
    await client.connect()
    return await run(client)
  } finally {
    // One that is lost is not waited for.
    void client.end().catch(() => {})
  }
}

function late(afterTheseMs: number): Promise<true> {
  return new Promise((resolve) => void afterMs(afterTheseMs, () => resolve(true)).unref())
}

function runApart(task: () => void, log: Logger): void {
  try {
    task()
  } catch (error) {
    log.error({ err: error }, 'bug')
  }
}
