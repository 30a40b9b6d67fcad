import type { Meta } from '@stoa/shared/bus/meta.js'
import { AppError } from '@stoa/shared/errors.js'
import type { Database, Transaction } from '../database.ts'

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
  /** Settles orders in one transaction and answers what became of each, in their order. */
  settle(tx: Transaction, orders: O[]): Promise<(Result | AppError)[]>
}

export interface Group<O extends Order, Result> {
  /** Resolves once the write is committed. Rejects with the AppError that concerns it alone. */
  add(order: O): Promise<Result>
}

interface Waiting<O, Result> {
  order: O
  deadlineMs: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** Long enough for writes of one moment to meet, short beside the commit they share. */
const GATHER_MS = 2
const BATCH_MAX = 256
const WAITING_MAX = 5_000

/**
 * Lets writes that arrive within GATHER_MS, or until the next batch may begin, share one
 * transaction: they share its statements, its round trips and its fsync. A write fails alone,
 * unless the database does: where it refuses what one of them holds, each is settled by itself.
 */
export function groupCommit<O extends Order, Result>(spec: GroupSpec<O, Result>): Group<O, Result> {
  const waiting: Waiting<O, Result>[] = []
  let working = false
  let beganAt = 0
  const work = async () => {
    while (waiting.length > 0) {
      await pause(Math.max(GATHER_MS, beganAt + spec.everyMs - performance.now()))
      beganAt = performance.now()
      await settleBatch(spec, takeBatch(spec, waiting))
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
        const deadlineMs = Date.now() + order.meta.remainingMs
        waiting.push({ order, deadlineMs, resolve, reject })
        if (working) return
        working = true
        void work()
      }),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Takes orders as they came; one that shares a mark with another waits for the next batch. */
function takeBatch<O extends Order, Result>(
  spec: GroupSpec<O, Result>,
  waiting: Waiting<O, Result>[],
): Waiting<O, Result>[] {
  const taken: Waiting<O, Result>[] = []
  const left: Waiting<O, Result>[] = []
  const seen = new Set<string>()
  for (const entry of waiting.splice(0)) {
    const marks = spec.marksOf(entry.order)
    const { agentId, meta } = entry.order
    if (meta.idempotency) marks.push(`${agentId} key ${meta.idempotency.key}`)
    if (taken.length >= BATCH_MAX || marks.some((mark) => seen.has(mark))) left.push(entry)
    else taken.push(entry)
    for (const mark of marks) seen.add(mark)
  }
  waiting.push(...left)
  return taken
}

async function settleBatch<O extends Order, Result>(
  spec: GroupSpec<O, Result>,
  batch: Waiting<O, Result>[],
): Promise<void> {
  const inTime = batch.filter(({ deadlineMs, reject }) => {
    const late = Date.now() > deadlineMs
    if (late) reject(new AppError('timeout'))
    return !late
  })
  if (inTime.length === 0) return
  try {
    const orders = inTime.map(({ order }) => order)
    const results = await spec.db.transaction((tx) => spec.settle(tx, orders))
    for (const [i, { resolve, reject }] of inTime.entries()) {
      const result = results[i]
      if (result instanceof AppError || result === undefined) {
        reject(result ?? new AppError('internal'))
      } else resolve(result)
    }
  } catch (error) {
    if (inTime.length > 1 && isOfData(error)) {
      for (const one of inTime) await settleBatch(spec, [one])
    } else for (const { reject } of inTime) reject(error)
  }
}

/** Whether the database refused what it was given, rather than failed: classes 22 and 23 of SQLSTATE. */
function isOfData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}
