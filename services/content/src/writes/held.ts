import { AppError, type ErrorCode } from '@stoa/shared/errors/errors.js'

/**
 * Another transaction holds what a write needs. It does not wait for that in a transaction, where
 * all that share it would wait as well, but is tried again for `waitMs` and then refused. `need` is
 * what others may be after as well.
 */
export class Held extends AppError {
  readonly waitMs: number
  readonly need: string | undefined

  constructor(code: ErrorCode, waitMs: number, need?: string) {
    super(code, { retry_after_seconds: 1, ...(need === undefined ? {} : { reason: 'held' }) })
    this.waitMs = waitMs
    this.need = need
  }
}

/** The first request with this Idempotency-Key has not ended. */
export function heldKey(): Held {
  return new Held('idempotency_in_progress', 1_000)
}

/** Something that a write needs to have for itself. No transaction waits longer for a lock. */
export function heldRow(id: string): Held {
  return new Held('unavailable', 5_000, id)
}
