import type { Logger } from '@stoa/shared/process/logger.js'
import { within } from '@stoa/shared/process/within.js'
import pg from 'pg'
import { connectionsOf } from './connections.ts'
import { cuttableSockets } from './cuttable-sockets.ts'
import { asAppError, hasNoneLeft, hasNoRoom } from './database-errors.ts'
import { heldReads } from './held-reads.ts'
import { inLine, type Line } from './in-line.ts'
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

/** Sessions are in UTC: PostgreSQL writes `2026-01-31 12:00:00.123+00` for `…T12:00:00.123Z`. */
function isoUtc(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
}

interface Work {
  read<T>(run: (query: Query) => Promise<T>): Promise<T>
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>
}

export interface Database extends Work {
  /**
   * For one kind of request, which leaves some connections to other kinds. What a write reads takes
   * turns with transactions, because slow reads of others must not keep the answer from a writer.
   */
  forKind(kind: string, isForWrite?: boolean): Work
  /**
   * `full` means that the server had no room for a transaction within the last minute, `busy` that
   * it answers while reads have no connection left, some kind of them is held, or requests have just
   * waited for a turn in vain. Throws if the server does not answer, within 3 seconds once connected.
   */
  ping(): Promise<'writable' | 'read-only' | 'full' | 'busy'>
  /** Which tables statements wait for, asked on a connection outside the pool. */
  tableLocks(): Promise<TableLock[]>
  /**
   * Whether the server answers on any connection within a moment. Ends all idle connections on
   * which the server does not answer.
   */
  answers(): Promise<boolean>
  /**
   * Opens a connection of the caller's own, outside the pool, for session locks. PostgreSQL ends
   * the connection and its locks after 15 seconds without a statement, or 5 seconds more than a
   * statement may take.
   */
  connect(): Promise<pg.Client>
  /** How many callers wait for a connection of the pool. */
  waiting(): number
  close(): Promise<void>
  /** Ends all connections at once, and with them the statements under way, as if lost. */
  cut(): void
}

const STATEMENT_TIMEOUT_MS = 10_000
/** The caller of a read gives up a second later, and others need the connection. */
const READ_LOCK_TIMEOUT_MS = 2_000
/**
 * How long the driver waits beyond the server's own statement timeout, which a server that is lost
 * silently never reports. The driver then drops the connection with all that was sent on it.
 */
const ANSWER_LATER_MS = 2_000
/** By then, callers that wait for an answer of content have given up. */
const PING_TIMEOUT_MS = 3_000
/**
 * A pool that gives reads no connection for this long is busy, if the server answers outside the
 * pool.
 */
const BUSY_AFTER_MS = 300
/** The share of the pool that held reads may use; the rest serves everything else. */
const HELD_READS_SHARE = 1 / 6
/** Neither all reads nor all transactions may use the whole pool: whichever is slow, others go on. */
const READS_SHARE = 5 / 6
const TRANSACTIONS_SHARE = 2 / 3
/** The share of those that requests of one kind may use: if they are slow, others still get a turn. */
const ONE_KIND_SHARE = 4 / 5
/** Together with LOCK_TIMEOUT_MS this is less than the caller of a write waits (`defineWrite`). */
const TURN_WAITS_MS = 2_000
/**
 * How long the server counts as full after its disk took no more. A write that succeeds in this
 * time proves nothing, because small rows fit into existing pages.
 */
const FULL_FOR_MS = 60_000
const CONNECT_TIMEOUT_MS = 3_000
/** TCP keepalive probes a connection that is idle for this long, so that its loss is noticed. */
const KEEP_ALIVE_AFTER_MS = 10_000
/** How much longer than a caller waits for an answer a session may be silent. */
const SILENT_LATER_MS = 3_000

/**
 * Opens the pool of up to `max` connections, each opened when it is first needed. Connections are
 * pipelined: statements sent without awaiting each other share a round trip and still run in order.
 * A statement of the pool may take `statementTimeoutMs`.
 */
export function openDatabase(
  url: string,
  max: number,
  log: Logger,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Database {
  const sockets = cuttableSockets()
  const settings = { ...connectionSettings(url, statementTimeoutMs), stream: sockets.open }
  const pool = openPool(settings, max, log)
  const plans: Plans = { age: 0 }
  let fullUntilMs = Number.NEGATIVE_INFINITY
  const { withClient, letOneGo } = connectionsOf(pool, max)
  const held = heldReads(Math.ceil(max * HELD_READS_SHARE))
  const reads = lineOf(max * READS_SHARE)
  const transactions = lineOf(max * TRANSACTIONS_SHARE)
  const readOn = (query: Query): Query => ({
    rows: (name, text, values) => held.run(name, () => query.rows(name, text, values)),
  })
  const pingPool = async () => {
    const { rows } = await withClient((client) => client.query<{ mode: string }>(PING))
    if (rows[0]?.mode !== 'off') return 'read-only'
    if (performance.now() < fullUntilMs) return 'full'
    const isBusy = held.any() || reads.hasRefused() || transactions.hasRefused()
    return isBusy ? 'busy' : 'writable'
  }
  const ping = async () => {
    const asked = reads.run(pingPool)
    const ended = asked.catch(() => 'failed')
    if (await within(BUSY_AFTER_MS, ended)) return asked
    const beside = withOwnClient(settings, (client) => client.query(PING))
    return Promise.any([asked, beside.then(() => 'busy' as const)]).catch(() => asked)
  }
  const inTurn = <T>(
    line: Line,
    kind: string | undefined,
    run: (client: pg.PoolClient, age: number) => Promise<T>,
  ) =>
    withRetries(() =>
      withNewPlans(plans, (age) => line.run(() => withClient((client) => run(client, age)), kind)),
    ).catch((error: unknown) => {
      if (hasNoRoom(error)) fullUntilMs = performance.now() + FULL_FOR_MS
      throw asAppError(error)
    })
  const forKind = (kind?: string, isForWrite = false): Work => ({
    read: (run) =>
      inTurn(isForWrite ? transactions : reads, kind, (client, age) =>
        run(readOn(queryOn(client, age))),
      ),
    transaction: async (run) => {
      const { result, afterCommit } = await inTurn(transactions, kind, (client, age) =>
        inTransaction(client, age, run),
      )
      for (const task of afterCommit) runApart(task, log)
      return result
    },
  })
  const close = async () => {
    if (!pool.ending) await pool.end()
  }
  return {
    ...forKind(),
    forKind,
    ping,
    tableLocks: () => withOwnClient(settings, findTableLocks),
    answers: () => {
      const pings = Array.from({ length: Math.max(1, pool.idleCount) }, pingPool)
      return Promise.any(pings).then(
        () => true,
        () => false,
      )
    },
    connect: () =>
      openSession(settings, log).catch(async (error: unknown) => {
        // Pools keep their connections while idle, so the leader of the outbox would find none
        // free.
        if (hasNoneLeft(error)) await letOneGo()
        throw error
      }),
    waiting: () => pool.waitingCount + reads.waiting() + transactions.waiting(),
    close,
    cut: () => {
      void close()
      sockets.cut()
    },
  }
}

function openPool(settings: pg.ClientConfig, max: number, log: Logger): pg.Pool {
  // Idle connections are kept: a new session reads the catalog and plans each statement first.
  const pool = new pg.Pool({ ...settings, max, min: max, pipeline: true } as pg.PoolConfig)
  pool.on('error', (error) => log.warn({ err: error }, 'idle connection lost'))
  // The pool listens only to idle connections. An error event between two statements of a
  // transaction would end the process without this listener; the next statement fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function lineOf(share: number): Line {
  const places = Math.max(1, Math.floor(share))
  return inLine(places, TURN_WAITS_MS, Math.max(1, Math.floor(places * ONE_KIND_SHARE)))
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
    // A managed server may set other defaults for its sessions.
    options: [
      '-c timezone=UTC',
      '-c datestyle=ISO',
      // A statement that waited for a lock must see what the holder of the lock wrote.
      '-c default_transaction_isolation=read\\ committed',
      '-c idle_session_timeout=0',
      `-c statement_timeout=${statementTimeoutMs}`,
      `-c lock_timeout=${READ_LOCK_TIMEOUT_MS}`,
      '-c idle_in_transaction_session_timeout=5000',
      '-c jit=off',
      // Pages are short walks: starting parallel workers for one costs more than the walk.
      '-c max_parallel_workers_per_gather=0',
      '-c plan_cache_mode=force_generic_plan',
    ].join(' '),
  }
}

/**
 * The server ends a session that sends nothing, or takes no answer, because the client's computer
 * may be gone without a word. Callers that wait for an answer give up sooner.
 */
async function openSession(
  settings: ReturnType<typeof connectionSettings>,
  log: Logger,
): Promise<pg.Client> {
  const silenceMs = settings.query_timeout + SILENT_LATER_MS
  const options = [
    settings.options,
    `-c lock_timeout=${LOCK_TIMEOUT_MS}`,
    `-c idle_session_timeout=${silenceMs}`,
    `-c tcp_user_timeout=${silenceMs}`,
  ].join(' ')
  const client = new pg.Client({ ...settings, options, pipeline: true } as pg.ClientConfig)
  client.on('error', (error) => log.warn({ err: error }, 'session connection lost'))
  await client.connect()
  return client
}

/** Runs on a connection opened only for this purpose, then ends the connection. */
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
    // Not awaited, because a lost connection may never end.
    void client.end().catch(() => {})
  }
}

function runApart(task: () => void, log: Logger): void {
  try {
    task()
  } catch (error) {
    log.error({ err: error }, 'bug')
  }
}
