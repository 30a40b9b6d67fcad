import type pg from 'pg'
import { CommitLost, isCutOff, isInTheWay, isOutdatedPlan } from './database-errors.ts'
import { ask, askTogether, type Statement } from './pipeline.ts'

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

const RETRIES_MAX = 5

/** How often statements have been prepared anew: it is part of their names. */
export interface Plans {
  age: number
}

/**
 * While replicas of two releases run side by side, a migration adds columns below statements that
 * were prepared before. All of them are prepared anew then, under other names, and what met one is run
 * once more.
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

/** Statements by themselves, each under the name it is prepared under at this age of the plans. */
export function queryOn(client: pg.ClientBase, age: number): Query {
  return {
    rows: (name, text, values = []) => ask(client, { name: nameAt(age, name), text, values }),
  }
}

/** Whoever creates or edits something waits for longer than for a read, and repeats it at a price. */
export const LOCK_TIMEOUT_MS = 5_000
const BEGIN: Statement = { name: 'begin', text: 'BEGIN' }
const WAIT_FOR_LOCKS: Statement = {
  name: 'wait-for-locks',
  text: `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`,
}
const COMMIT: Statement = { name: 'commit', text: 'COMMIT' }

interface Committed<T> {
  result: T
  afterCommit: (() => void)[]
}

/**
 * Runs in one transaction, and answers what is to be done once it is committed. Statements that nobody
 * waits for travel with the next that is awaited. Throws what made it roll back, or `CommitLost`.
 */
export async function inTransaction<T>(
  client: pg.PoolClient,
  age: number,
  run: (tx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  const afterCommit: (() => void)[] = []
  const waiting: Statement[] = [BEGIN, WAIT_FOR_LOCKS]
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
  let isCommitting = false
  try {
    const result = await run(tx)
    const commit = awaited(COMMIT)
    isCommitting = true
    // The first that failed says why; those behind it only say that it did.
    await Promise.all(sent)
    if ((await commit).command !== 'COMMIT') throw new Error('the transaction was rolled back')
    return { result, afterCommit }
  } catch (error) {
    // After one statement failed the following ones only say so: the first tells why, of whichever
    // the caller has heard.
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
    await client.query('ROLLBACK').catch(() => {})
    const reason: unknown = failed?.status === 'rejected' ? failed.reason : error
    throw isCommitting && isCutOff(reason) ? new CommitLost(reason) : reason
  }
}

/** Runs anew, as often as may be, what only another transaction stood in the way of. */
export async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!isInTheWay(error) || attempt >= RETRIES_MAX) throw error
    }
  }
}
