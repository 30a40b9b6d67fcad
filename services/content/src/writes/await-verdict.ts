import type { Bus } from '@stoa/shared/bus/bus.js'
import { DecidedNotice, SUBMISSION_DECIDED } from '@stoa/shared/contracts/events.js'

/** Lets a write wait for its verdict, whichever replica applies it. */
export interface Verdicts {
  /**
   * Starts listening for one case; call it before COMMIT, or the notice may come first. The
   * promise resolves on the notice or at the deadline, whichever is first, and never rejects: the
   * row says what happened.
   */
  expect(caseId: string, waitMs: number): { decided: Promise<void>; cancel(): void }
  /** Tells the writes that wait for these cases, here and in other replicas. */
  decided(caseIds: string[]): void
  /** How long a write should wait: nothing while verdicts are taking longer than the wait. */
  waitMs(): number
}

/** More waiting writes than this answer 202 at once. */
const WAITING_MAX = 10_000
/** After a wait ran out, new writes do not wait until a verdict has come in time again. */
const BACKLOG_MEMORY_MS = 10_000

export function awaitVerdicts(bus: Bus, publishWaitMs: number): Verdicts {
  const waiting = new Map<string, () => void>()
  let lateUntil = 0
  bus.hear(SUBMISSION_DECIDED, (notice) => {
    for (const caseId of DecidedNotice.parse(notice).case_ids) waiting.get(caseId)?.()
  })
  return {
    decided: (caseIds) => {
      const elsewhere = caseIds.filter((caseId) => !waiting.has(caseId))
      if (elsewhere.length > 0) bus.tell(SUBMISSION_DECIDED, { case_ids: elsewhere })
      for (const caseId of caseIds) waiting.get(caseId)?.()
    },
    waitMs: () => (Date.now() < lateUntil ? 0 : publishWaitMs),
    expect: (caseId, waitMs) => {
      if (waitMs <= 0 || waiting.size >= WAITING_MAX) {
        return { decided: Promise.resolve(), cancel: () => {} }
      }
      let finish = () => {}
      const decided = new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          // A caller in a hurry says nothing about how late verdicts are.
          if (waitMs >= publishWaitMs) lateUntil = Date.now() + BACKLOG_MEMORY_MS
          finish()
        }, waitMs)
        finish = () => {
          clearTimeout(timer)
          waiting.delete(caseId)
          resolve()
        }
        waiting.set(caseId, () => {
          lateUntil = 0
          finish()
        })
      })
      return { decided, cancel: finish }
    },
  }
}
