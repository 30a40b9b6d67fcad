import type { Meta } from '@stoa/shared/bus/meta.js'
import { AppError } from '@stoa/shared/errors.js'
import type { Database, Transaction } from '../database.ts'
import { Held } from './held.ts'
import { keepHeld, refuseLate, takeBatch, type Waiting } from './waiting-orders.ts'

/** A write that may share its transaction with others of its kind. */
export interface Order {
  meta: Meta
  agentId: string
  keyId: string
}

export interface GroupSpec<O extends Order, Result> {
  db: Database
  /**
   * Milliseconds from the beginning of one batch to the next, at least. A write that finds none
   * under way hardly waits; of many, more share the work of one.
   */
  everyMs: number
  /** What no two orders of one transaction may share, such as a row both would write. */
  marksOf(order: O): string[]
  /** What other transactions may hold while an order needs it, but for its Idempotency-Key. */
  needsOf(order: O): string[]
  /**
   * Settles orders in one transaction and answers what became of each, in their order. It waits
   * for no lock that another may hold for long: what it does not get, it answers `Held` for.
   */
  settle(tx: Transaction, orders: O[]): Promise<(Result | AppError)[]>
}

export interface Group<O extends Order, Result> {
  /** Resolves once the write is committed. Rejects with the AppError that concerns it alone. */
  add(order: O): Promise<Result>
}

/** Long enough for writes of one moment to meet, short beside the commit they share. */
const GATHER_MS = 2
const WAITING_MAX = 5_000

/**
 * Lets writes that arrive within GATHER_MS, or until the next batch may begin, share one
 * transaction: they share its statements, its round trips and its fsync. A write fails alone,
 * unless the database does: where it refuses what one of them holds, each is settled by itself. A
 * write waits alone as well: what it needs and does not get, it tries to get with the next batch.
 */
export function groupCommit<O extends Order, Result>(spec: GroupSpec<O, Result>): Group<O, Result> {
  const waiting: Waiting<O, Result>[] = []
  let working = false
  let beganAt = 0
  let held = new Set<string>()
  const work = async () => {
    while (waiting.length > 0) {
      await pause(Math.max(GATHER_MS, beganAt + spec.everyMs - performance.now()))
      beganAt = performance.now()
      const again = await settleBatch(spec, takeBatch(spec, waiting, held))
      held = new Set(again.flatMap(({ order }) => spec.needsOf(order)))
      waiting.unshift(...again)
    }
    working = false
  }
  return {
    add: (order) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= WAITING_MAX) {
          reject(new AppError('unavailable', { retry_after_seconds: 1 }))
          return
        }
        const untilMs = Date.now() + order.meta.remainingMs
        const refusal = new AppError('timeout')
        waiting.push({ order, untilMs, refusal, held: false, resolve, reject })
        if (working) return
        working = true
        void work()
      }),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Answers the orders that somebody holds up. */
async function settleBatch<O extends Order, Result>(
  spec: GroupSpec<O, Result>,
  batch: Waiting<O, Result>[],
): Promise<Waiting<O, Result>[]> {
  const inTime = refuseLate(batch)
  if (inTime.length === 0) return []
  try {
    const orders = inTime.map(({ order }) => order)
    const results = await spec.db.transaction((tx) => spec.settle(tx, orders))
    return inTime.filter((entry, i) => isHeld(entry, results[i]))
  } catch (error) {
    if (inTime.length === 1 || !isOfData(error)) {
      for (const { reject } of inTime) reject(error)
      return []
    }
    const held: Waiting<O, Result>[] = []
    for (const one of inTime) held.push(...(await settleBatch(spec, [one])))
    return held
  }
}

/** Tells an order what became of it, unless that is not known yet. */
function isHeld<O, Result>(
  entry: Waiting<O, Result>,
  result: Result | AppError | undefined,
): boolean {
  const held = result instanceof Held
  if (held) keepHeld(entry, result)
  else if (result instanceof AppError || result === undefined) {
    entry.reject(result ?? new AppError('internal'))
  } else entry.resolve(result)
  return held
}

/** Whether the database refused what it was given, rather than failed: classes 22 and 23 of SQLSTATE. */
function isOfData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}
