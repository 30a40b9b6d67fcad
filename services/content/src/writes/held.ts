import { AppError, type ErrorCode } from '@stoa/shared/errors.js'

/**
 * Another transaction holds what a write needs. It does not wait for that in a transaction, where
 * all that share it would wait as well, but is tried again for `waitMs` and then refused.
 */
export class Held extends AppError {
  readonly waitMs: number

  constructor(code: ErrorCode, waitMs: number) {
    super(code, { retry_after_seconds: 1 })
    this.waitMs = waitMs
  }
}

/** The first request with this Idempotency-Key has not ended. */
export function heldKey(): Held {
  return new Held('idempotency_in_progress', 1_000)
}
