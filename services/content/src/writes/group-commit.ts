import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '@stoa/shared/errors/errors.js'
import { isError } from '@stoa/shared/process/is-error.js'
import type { Database } from '../database.ts'
import { codeOf, LOCK_NOT_AVAILABLE } from '../database-errors.ts'
import { LOCK_TIMEOUT_MS, type Transaction } from '../transaction.ts'
import { Held } from './held.ts'
import type { Order } from './order.ts'
import { keepHeld, type Marking, refuseLate, takeBatch, type Waiting } from './waiting-orders.ts'

/** Writes that may share a transaction with others of their kind. */
interface GroupSpec<O extends Order, Result> extends Marking<O> {
  db: Database
  /**
   * The least milliseconds from the beginning of one batch to the next. A write that finds no batch
   * under way hardly waits; many writes share the work of one batch.
   */
  everyMs: number
  /**
   * Settles orders in one transaction and answers their results, in their order. With `waits`, it
   * waits a moment for locked rows and then fails as a whole; without, it answers `Held` for the
   * orders whose rows it could not lock at once.
   */
  settle(tx: Transaction, orders: O[], waits: boolean): Promise<(Result | AppError)[]>
}

export interface Group<O extends Order, Result> {
  /** Resolves once the write is committed. Rejects with the AppError of this write. */
  add(order: O): Promise<Result>
}

/** Long enough for simultaneous writes to meet, short in comparison with the commit they share. */
const GATHER_MS = 2
/** The most orders that wait at once. Further ones are refused: they would be answered too late. */
export const WAITING_MAX = 5_000

/**
 * Lets writes that arrive within GATHER_MS, or until the next batch may begin, share one
 * transaction with its statements, round trips and fsync. A write fails alone, unless the database
 * fails: if it refuses the data of one write, each is settled by itself.
 *
 * A batch waits only a moment for rows that other transactions have locked. Then it is settled
 * without the orders that need them, which are tried again with the next batches. While any of
 * these orders is left, no batch waits for locked rows.
 *
 * If a lock lasts longer, as that of a whole table may, the waiting orders are refused together
 * with the batch: after another such wait their callers would have given up.
 */
export function groupCommit<O extends Order, Result>(spec: GroupSpec<O, Result>): Group<O, Result> {
  const waiting: Waiting<O, Result>[] = []
  let working = false
  let beganAt = 0
  let held = new Set<string>()
  const refuseAll = (error: unknown) => {
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  const work = async () => {
    while (waiting.length > 0) {
      await pause(Math.max(GATHER_MS, beganAt + spec.everyMs - performance.now()))
      beganAt = performance.now()
      const batch = takeBatch(spec, waiting, held)
      const again = await settleBatch(spec, batch, held.size === 0, refuseAll)
      held = new Set(again.flatMap((entry) => entry.held?.need ?? []))
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
        const untilMs = performance.now() + order.meta.remainingMs
        waiting.push({ order, untilMs, held: undefined, resolve, reject })
        if (working) return
        working = true
        void work()
      }),
  }
}

/**
 * Settles a batch; answers the orders that another transaction holds up. Calls `lockedOut` with the
 * error if it waited for a lock for as long as a transaction may.
 */
async function settleBatch<O extends Order, Result>(
  spec: GroupSpec<O, Result>,
  batch: Waiting<O, Result>[],
  waits: boolean,
  lockedOut: (error: unknown) => void,
): Promise<Waiting<O, Result>[]> {
  const inTime = refuseLate(batch)
  if (inTime.length === 0) return []
  const beganAt = performance.now()
  try {
    const orders = inTime.map(({ order }) => order)
    const results = await spec.db.transaction((tx) => spec.settle(tx, orders, waits))
    return inTime.filter((entry, i) => isHeld(entry, results[i]))
  } catch (error) {
    if (isOfLock(error)) {
      const isLong = performance.now() - beganAt >= LOCK_TIMEOUT_MS
      if (waits && !isLong) return settleBatch(spec, inTime, false, lockedOut)
      lockedOut(error)
    }
    if (inTime.length === 1 || !isOfData(error)) {
      for (const { reject } of inTime) reject(error)
      return []
    }
    const held: Waiting<O, Result>[] = []
    for (const one of inTime) held.push(...(await settleBatch(spec, [one], waits, lockedOut)))
    return held
  }
}

/**
 * Resolves or rejects an order by its result. True if the order is held, so that there is none yet.
 */
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

/** Whether the database refused the data, rather than failed: classes 22 and 23 of SQLSTATE. */
function isOfData(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error))
}

/** Whether the transaction gave up because its wait for a lock took too long. */
function isOfLock(error: unknown): boolean {
  return isError(error) && codeOf(error.cause) === LOCK_NOT_AVAILABLE
}
