import type { Meta } from '@stoa/shared/bus/meta.js'

/** Milliseconds of the caller's time kept for the answer itself. */
const ANSWER_MS = 800

/** When a request must stop working and leave the rest to others, by `performance.now()`. */
export function workUntilMs({ remainingMs }: Meta): number {
  return performance.now() + remainingMs - ANSWER_MS
}
