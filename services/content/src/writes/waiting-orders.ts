import { AppError } from '@stoa/shared/errors/errors.js'
import type { Held } from './held.ts'
import type { Order } from './order.ts'

/** What keeps orders apart. */
export interface Marking<O extends Order> {
  /** What no two orders of one transaction may share, such as a row both would write. */
  marksOf(order: O): string[]
  /** What other transactions may hold while an order needs it, but for its Idempotency-Key. */
  needsOf(order: O): string[]
}

export interface Waiting<O, Result> {
  order: O
  /** When it is refused, unless it is settled before. */
  untilMs: number
  /** What kept it back when it was tried. */
  held: Held | undefined
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

const BATCH_MAX = 256
/** So many of a batch may be orders that were held before; new ones find room beside them. */
const HELD_MAX = BATCH_MAX / 2
/** What is left of a caller's patience to tell it that nothing was written. */
const ANSWER_MS = 200

/**
 * Takes orders as they came; one that shares a mark with another waits for the next batch. So does
 * one that needs what was `held` when the last was settled, and is not the first of those: one is
 * enough to see whether it is free.
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

/** Refuses those whose time is over, and answers the others. */
export function refuseLate<O, Result>(entries: Waiting<O, Result>[]): Waiting<O, Result>[] {
  const now = performance.now()
  return entries.filter(({ untilMs, reject, held }) => {
    const late = now > untilMs
    if (late) reject(held ?? new AppError('timeout'))
    return !late
  })
}

/** Lets it be tried again, for as long as it may be and its caller waits. */
export function keepHeld<O, Result>(entry: Waiting<O, Result>, held: Held): void {
  const untilMs = entry.held ? entry.untilMs : entry.untilMs - ANSWER_MS
  entry.untilMs = Math.min(untilMs, performance.now() + held.waitMs)
  entry.held = held
}

/** What no two orders of a batch may share. */
function marksOf<O extends Order, Result>(
  marking: Marking<O>,
  entry: Waiting<O, Result>,
  held: Set<string>,
): string[] {
  const { agentId, meta } = entry.order
  const marks = marking.marksOf(entry.order)
  if (meta.idempotency) marks.push(`${agentId} key ${meta.idempotency.key}`)
  // What was kept back by one thing says nothing of the others it needs.
  const needs = entry.held ? [entry.held.need ?? ''] : marking.needsOf(entry.order)
  return marks.concat(needs.filter((need) => held.has(need)))
}
