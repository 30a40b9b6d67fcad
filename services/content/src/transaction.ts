import type pg from 'pg'
import { CommitLost, isCutOff, isInTheWay, isOutdatedPlan } from './database-errors.ts'
import { ask, askTogether, type Statement } from './pipeline.ts'

export interface Query {
  /** Runs one statement. The connection keeps its plan under `name`; give each text its own. */
  rows<R>(name: string, text: string, values?: unknown[]): Promise<R[]>
}

/**
 * Sends a statement that nobody awaits: its rows are lost, but its failure fails the transaction.
 */
type Send = (name: string, text: string, values?: unknown[]) => void

/** Only `database.transaction` makes one, so a write outside a transaction does not compile. */
export interface Transaction extends Query {
  readonly transaction: true
  /** Runs the statement together with the next one that is awaited, COMMIT at the latest. */
  send: Send
  /**
   * Runs after COMMIT and only then; for notices that a slower safety net backs up. A task that
   * throws is logged, and affects neither the transaction nor the other tasks.
   */
  afterCommit(run: () => void): void
}

const RETRIES_MAX = 5

/** How often all statements were prepared again; the number is part of their names. */
export interface Plans {
  age: number
}

/**
 * While replicas of two releases run side by side, a migration may add columns to tables that
 * prepared statements read. All statements are then prepared again under other names, and a run
 * that met an outdated plan is repeated once.
 */
export async function withNewPlans<T>(plans: Plans, run: (age: number) => Promise<T>): Promise<T> {
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

/** Runs statements outside a transaction, each under its name for this age of the plans. */
export function queryOn(client: pg.ClientBase, age: number): Query {
  return {
    rows: (name, text, values = []) => ask(client, { name: nameAt(age, name), text, values }),
  }
}

/**
 * A writer waits longer for its locks than a reader, because repeating a write has a price. All
 * locks of a transaction share this time, or its caller would give up before it does.
 */
export const LOCK_TIMEOUT_MS = 5_000
/** Yet each lock gets this long, because the time may have gone into work. */
const LAST_LOCK_MS = 1_000
const BEGIN: Statement = { name: 'begin', text: 'BEGIN' }
const WAIT_FOR_LOCKS: Statement = {
  name: 'wait-for-locks',
  text: `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`,
}
/** SQL that gives the following locks what is left of the time. */
const WAIT_LESS_FOR_LOCKS = `SELECT set_config('lock_timeout', $1, true)`
/** Work that takes less than this is not worth a statement. */
const WAITED_MS = 1_000
const COMMIT: Statement = { name: 'commit', text: 'COMMIT' }

/**
 * From now on, answers what a transaction must send first if time has gone by since it last did.
 */
function lessTimeForLocks(): () => Statement[] {
  const beganAt = performance.now()
  let boundedAt = beganAt
  return () => {
    const now = performance.now()
    if (now - boundedAt < WAITED_MS) return []
    boundedAt = now
    const leftMs = Math.max(LAST_LOCK_MS, Math.ceil(LOCK_TIMEOUT_MS - (now - beganAt)))
    return [{ name: 'wait-less-for-locks', text: WAIT_LESS_FOR_LOCKS, values: [leftMs] }]
  }
}

interface Committed<T> {
  result: T
  afterCommit: (() => void)[]
}

/**
 * Runs in one transaction, and returns the tasks for after the commit. Statements that nobody
 * awaits travel with the next one that is awaited. Throws the error that caused the rollback, or
 * `CommitLost`.
 */
export async function inTransaction<T>(
  client: pg.PoolClient,
  age: number,
  run: (tx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  const afterCommit: (() => void)[] = []
  const waiting: Statement[] = [BEGIN, WAIT_FOR_LOCKS]
  const sent: Promise<unknown>[] = []
  const waitLess = lessTimeForLocks()
  const awaited = (statement: Statement) => {
    // Later statements may set a bound of their own, which holds.
    const before = sent.length > 0 ? waitLess() : []
    const answers = askTogether(client, [...before, ...waiting.splice(0)], statement)
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
  let isCommitting = false
  try {
    const result = await run(tx)
    const commit = awaited(COMMIT)
    isCommitting = true
    // The first failure says why; the statements after it only say that it happened.
    await Promise.all(sent)
    if ((await commit).command !== 'COMMIT') throw new Error('the transaction was rolled back')
    return { result, afterCommit }
  } catch (error) {
    // After a failure, the following statements only say that the transaction failed. The first
    // failure tells why, whichever error the caller has seen.
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
    await client.query('ROLLBACK').catch(() => {})
    const reason: unknown = failed?.status === 'rejected' ? failed.reason : error
    throw isCommitting && isCutOff(reason) ? new CommitLost(reason) : reason
  }
}

/**
 * Repeats a run that failed only because of another transaction, up to RETRIES_MAX attempts in all.
 */
export async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!isInTheWay(error) || attempt >= RETRIES_MAX) throw error
    }
  }
}
