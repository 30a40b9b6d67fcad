import type { Meta } from '@stoa/shared/bus/meta.js'

/** Milliseconds of the caller's time kept for the answer itself. */
const ANSWER_MS = 800
/** Nobody should wait longer for work that goes on without the request. */
const WORK_MAX_MS = 2_200

/** When a request must stop working and leave the rest to others, by `performance.now()`. */
export function workUntilMs({ remainingMs }: Meta): number {
  return performance.now() + Math.min(remainingMs - ANSWER_MS, WORK_MAX_MS)
}
