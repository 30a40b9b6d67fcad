import type { Meta } from '@stoa/shared/bus/meta.js'

/** Left of the caller's patience for the answer itself. */
const ANSWER_MS = 800

/** Until when, by `performance.now()`, a request may go on with what others end where it has no time. */
export function workUntilMs({ remainingMs }: Meta): number {
  return performance.now() + remainingMs - ANSWER_MS
}
