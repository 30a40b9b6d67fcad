import type { Bus } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { DecidedNotice, SUBMISSION_DECIDED } from '@stoa/shared/contracts/events.js'
import { idTime } from '@stoa/shared/identifiers/ids.js'

/** Lets a write wait for its verdict, whichever replica applies the verdict. */
export interface Verdicts {
  /**
   * Starts listening for one case. Call this before COMMIT, or the notice may come first. The
   * promise resolves on the notice or at the deadline, whichever is first, and never rejects: the
   * case's row says what happened.
   */
  expect(caseId: string, waitMs: number): { decided: Promise<void>; cancel(): void }
  /** Wakes the writes that wait for these cases, here and in other replicas. */
  decided(caseIds: string[]): void
  /** How long a write should wait: 0 while verdicts take longer than the wait. */
  waitMs(): number
}

/** The most writes that wait at once; further ones are answered 202 immediately. */
const WAITING_MAX = 10_000
/** How long new writes do not wait after one wait ran out, unless a verdict comes in time again. */
const BACKLOG_MEMORY_MS = 10_000

export function awaitVerdicts(bus: Bus, publishWaitMs: number): Verdicts {
  /** The writes that wait, by case: a repeated write waits for the same case as the first. */
  const waiting = new Map<string, Set<() => void>>()
  let count = 0
  let lateUntil = 0
  const add = (caseId: string, waiter: () => void) => {
    count++
    const waiters = waiting.get(caseId) ?? new Set()
    waiting.set(caseId, waiters.add(waiter))
  }
  const remove = (caseId: string, waiter: () => void) => {
    const waiters = waiting.get(caseId)
    if (waiters?.delete(waiter)) count--
    if (waiters?.size === 0) waiting.delete(caseId)
  }
  const wake = (caseIds: string[]) => {
    for (const caseId of caseIds) {
      if (Date.now() - idTime(caseId) < publishWaitMs) lateUntil = 0
      for (const waiter of waiting.get(caseId) ?? []) waiter()
    }
  }
  bus.hear(SUBMISSION_DECIDED, (notice) => {
    wake(DecidedNotice.parse(notice).case_ids)
  })
  return {
    decided: (caseIds) => {
      // A write and its repetition may wait in different replicas.
      bus.tell(SUBMISSION_DECIDED, { case_ids: caseIds })
      wake(caseIds)
    },
    waitMs: () => (performance.now() < lateUntil ? 0 : publishWaitMs),
    expect: (caseId, waitMs) => {
      if (waitMs <= 0 || count >= WAITING_MAX) {
        return { decided: Promise.resolve(), cancel: () => {} }
      }
      let finish = () => {}
      const decided = new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          // A wait that the caller shortened says nothing about how late verdicts are.
          if (waitMs >= publishWaitMs) lateUntil = performance.now() + BACKLOG_MEMORY_MS
          finish()
        }, waitMs)
        finish = () => {
          clearTimeout(timer)
          remove(caseId, finish)
          resolve()
        }
        add(caseId, finish)
      })
      return { decided, cancel: finish }
    },
  }
}

/**
 * How long this write may wait: 0 if its caller asked for that, else as long as `verdicts` says,
 * but at most until a second before the caller gives up.
 */
export function waitMsOf(verdicts: Verdicts, meta: Meta): number {
  if (meta.respondAsync) return 0
  return Math.max(0, Math.min(verdicts.waitMs(), meta.remainingMs - 1_000))
}
