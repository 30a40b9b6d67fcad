import { AppError } from '@stoa/shared/errors/errors.js'
import type { Held } from './held.ts'
import type { Order } from './order.ts'

/** What decides which orders may share a transaction. */
export interface Marking<O extends Order> {
  /** Names that no two orders of one transaction may share, such as a row that both would write. */
  marksOf(order: O): string[]
  /** What an order needs and other transactions may hold, without its Idempotency-Key. */
  needsOf(order: O): string[]
}

export interface Waiting<O, Result> {
  order: O
  /** When the order is refused if it is not settled, by `performance.now()`. */
  untilMs: number
  /** What held the order up when it was last tried. */
  held: Held | undefined
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

const BATCH_MAX = 256
/** How many orders of a batch may have been held before; the rest is room for new ones. */
const HELD_MAX = BATCH_MAX / 2
/** Milliseconds of the caller's time kept to tell it that nothing was written. */
const ANSWER_MS = 200

/**
 * Takes orders as they came; one that shares a mark with another waits for the next batch. So do
 * all but the first of the orders that need the same thing which was `held` when the last batch was
 * settled: one is enough to see whether it is free.
 */
export function takeBatch<O extends Order, Result>(
  marking: Marking<O>,
  waiting: Waiting<O, Result>[],
  held: Set<string>,
): Waiting<O, Result>[] {
  const taken: Waiting<O, Result>[] = []
  const left: Waiting<O, Result>[] = []
  const seen = new Set<string>()
  let again = 0
  for (const entry of refuseLate(waiting.splice(0))) {
    const marks = marksOf(marking, entry, held)
    const full = taken.length >= BATCH_MAX || (entry.held && again >= HELD_MAX)
    if (full || marks.some((mark) => seen.has(mark))) left.push(entry)
    else {
      taken.push(entry)
      if (entry.held) again++
    }
    for (const mark of marks) seen.add(mark)
  }
  waiting.push(...left)
  return taken
}

/** Refuses the orders whose time is over, and answers the others. */
export function refuseLate<O, Result>(entries: Waiting<O, Result>[]): Waiting<O, Result>[] {
  const now = performance.now()
  return entries.filter(({ untilMs, reject, held }) => {
    const late = now > untilMs
    if (late) reject(held ?? new AppError('timeout'))
    return !late
  })
}

/** Lets a held order be tried again, for as long as `held` allows and its caller waits. */
export function keepHeld<O, Result>(entry: Waiting<O, Result>, held: Held): void {
  const untilMs = entry.held ? entry.untilMs : entry.untilMs - ANSWER_MS
  entry.untilMs = Math.min(untilMs, performance.now() + held.waitMs)
  entry.held = held
}

/** The names that no two orders of a batch may share. */
function marksOf<O extends Order, Result>(
  marking: Marking<O>,
  entry: Waiting<O, Result>,
  held: Set<string>,
): string[] {
  const { agentId, meta } = entry.order
  const marks = marking.marksOf(entry.order)
  if (meta.idempotency) marks.push(`${agentId} key ${meta.idempotency.key}`)
  // An order that one thing held up may well get the others that it needs.
  const needs = entry.held ? [entry.held.need ?? ''] : marking.needsOf(entry.order)
  return marks.concat(needs.filter((need) => held.has(need)))
}
