import type { Logger } from '@stoa/shared/process/logger.js'
import pg from 'pg'
import { asAppError, isConnectionError, isOutdatedPlan } from './database-errors.ts'
import { ask, askTogether, type Statement } from './pipeline.ts'

const TIMESTAMPTZ = 1184
const INT8 = 20

/** Timestamps arrive as milliseconds since 1970 and 64-bit integers as numbers (all below 2^53). */
pg.types.setTypeParser(TIMESTAMPTZ, (text: string) => Date.parse(isoUtc(text)))
pg.types.setTypeParser(INT8, Number)

/** Every session is in UTC: PostgreSQL writes `2026-01-31 12:00:00.123+00` for `…T12:00:00.123Z`. */
function isoUtc(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
}

export interface Query {
  /** Runs one statement. `name` keeps its plan on the connection; give each text its own. */
  rows<R>(name: string, text: string, values?: unknown[]): Promise<R[]>
}

/** What a statement that nobody waits for would have answered is lost; its failure is not. */
type Send = (name: string, text: string, values?: unknown[]) => void

/** Only `database.transaction` makes one, so a write outside a transaction does not compile. */
export interface Transaction extends Query {
  readonly transaction: true
  /** Runs one statement together with the next that is awaited, COMMIT at the latest. */
  send: Send
  /**
   * Runs after COMMIT and only then; for notices that a slower net backs up. One that throws is
   * logged, and neither the transaction nor the others hear of it.
   */
  afterCommit(run: () => void): void
}

export interface Database {
  read<T>(run: (query: Query) => Promise<T>): Promise<T>
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>
  /** What the server takes. Throws where it does not answer. */
  ping(): Promise<'writable' | 'read-only'>
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
/**
 * A server that is lost without a word never says that a statement took too long. Waited for behind
 * the server's own limit; the driver then gives the connection up, with all that was sent on it.
 */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000
const CONNECT_TIMEOUT_MS = 3_000
/** What is idle for so long is asked for a sign of life, so that it is not lost unnoticed. */
const KEEP_ALIVE_AFTER_MS = 10_000
/**
 * A session that asks nothing for so long, or takes no answer, is ended by the server: its computer may
 * be gone without a word. Who waits for an answer gives up before that.
 */
const SESSION_SILENCE_MS = ANSWER_TIMEOUT_MS + 3_000
const SESSION_OPTIONS = [
  `-c idle_session_timeout=${SESSION_SILENCE_MS}`,
  `-c tcp_user_timeout=${SESSION_SILENCE_MS}`,
].join(' ')
const RETRIES_MAX = 5

/**
 * Deadlock and serialization failure. No violation of a unique index: where twins may meet, they
 * take turns or one does nothing, so that would only happen again.
 */
const RETRYABLE = new Set(['40P01', '40001'])

/**
 * Opens the pool. Connections are pipelined: statements sent without awaiting each other share a
 * round trip, and still run in order.
 */
export function openDatabase(url: string, max: number, log: Logger): Database {
  const settings = {
    connectionString: url,
    application_name: 'stoa-content',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    options: [
      '-c timezone=UTC',
      `-c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
      `-c lock_timeout=${STATEMENT_TIMEOUT_MS / 2}`,
      '-c idle_in_transaction_session_timeout=5000',
      '-c jit=off',
      // Pages are short walks: starting helpers for one costs more than the walk.
      '-c max_parallel_workers_per_gather=0',
      '-c plan_cache_mode=force_generic_plan',
    ].join(' '),
  }
  const pool = new pg.Pool({ ...settings, max, pipeline: true } as pg.PoolConfig)
  pool.on('error', (error) => log.warn({ err: error }, 'idle connection lost'))
  // The pool listens to idle connections only. One that is lost between two statements of a transaction
  // says so to nobody else, which would end the process; the next statement fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}))
  const plans: Plans = { age: 0 }
  return {
    read: (run) =>
      withNewPlans(plans, (age) => withClient(pool, (client) => run(queryOn(client, age)))).catch(
        (error: unknown) => {
          throw asAppError(error)
        },
      ),
    transaction: async (run) => {
      const committing = withRetries(() =>
        withNewPlans(plans, (age) => withClient(pool, (client) => inTransaction(client, age, run))),
      )
      const { result, afterCommit } = await committing.catch((error: unknown) => {
        throw asAppError(error)
      })
      for (const task of afterCommit) runApart(task, log)
      return result
    },
    ping: async () => {
      const { rows } = await pool.query<{ mode: string }>(
        `SELECT current_setting('transaction_read_only') AS mode`,
      )
      return rows[0]?.mode === 'off' ? 'writable' : 'read-only'
    },
    connect: async () => {
      const options = `${settings.options} ${SESSION_OPTIONS}`
      const client = new pg.Client({ ...settings, options, pipeline: true } as pg.ClientConfig)
      client.on('error', (error) => log.warn({ err: error }, 'session connection lost'))
      await client.connect()
      return client
    },
    waiting: () => pool.waitingCount,
    close: () => pool.end(),
  }
}

async function withClient<T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    const result = await run(client)
    client.release()
    return result
  } catch (error) {
    client.release(isConnectionError(error) ? (error as Error) : undefined)
    throw error
  }
}

/** How often statements have been prepared anew: it is part of their names. */
interface Plans {
  age: number
}

/**
 * While replicas of two releases run side by side, a migration adds columns below statements that
 * were prepared before. All of them are prepared anew then, under other names, and what met one is run
 * once more.
 */
async function withNewPlans<T>(plans: Plans, run: (age: number) => Promise<T>): Promise<T> {
  const { age } = plans
  try {
    return await run(age)
  } catch (error) {
    if (!isOutdatedPlan(error)) throw error
    if (plans.age === age) plans.age++
    return run(plans.age)
  }
}

function nameAt(age: number, name: string): string {
  return age === 0 ? name : `${name} ${age}`
}

function queryOn(client: pg.ClientBase, age: number): Query {
  return {
    rows: (name, text, values = []) => ask(client, { name: nameAt(age, name), text, values }),
  }
}

const BEGIN: Statement = { name: 'begin', text: 'BEGIN' }
const COMMIT: Statement = { name: 'commit', text: 'COMMIT' }

interface Committed<T> {
  result: T
  afterCommit: (() => void)[]
}

async function inTransaction<T>(
  client: pg.PoolClient,
  age: number,
  run: (tx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  const afterCommit: (() => void)[] = []
  const waiting: Statement[] = [BEGIN]
  const sent: Promise<unknown>[] = []
  const awaited = (statement: Statement) => {
    const answers = askTogether(client, waiting.splice(0), statement)
    const last = answers.pop() as Promise<pg.QueryResult>
    for (const answer of answers) answer.catch(() => {})
    sent.push(...answers, last)
    return last
  }
  const tx: Transaction = {
    transaction: true,
    rows: async <R>(name: string, text: string, values: unknown[] = []) =>
      (await awaited({ name: nameAt(age, name), text, values })).rows as R[],
    send: (name, text, values = []) => {
      waiting.push({ name: nameAt(age, name), text, values })
    },
    afterCommit: (task) => {
      afterCommit.push(task)
    },
  }
  try {
    const result = await run(tx)
    const commit = awaited(COMMIT)
    // The first that failed says why; those behind it only say that it did.
    await Promise.all(sent)
    if ((await commit).command !== 'COMMIT') throw new Error('the transaction was rolled back')
    return { result, afterCommit }
  } catch (error) {
    // After one statement failed the following ones only say so: the first tells why, of whichever
    // the caller has heard.
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
    await client.query('ROLLBACK').catch(() => {})
    throw failed?.status === 'rejected' ? failed.reason : error
  }
}

function runApart(task: () => void, log: Logger): void {
  try {
    task()
  } catch (error) {
    log.error({ err: error }, 'bug')
  }
}

async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!RETRYABLE.has(code) || attempt >= RETRIES_MAX) throw error
    }
  }
}
